import { useEffect, useRef } from 'react';

/** The first task waits this long for more calls. */
const FIRST_MS = 1_000;

/** Returns a function that runs the latest task, once for all calls until then: soon, and then after each delay. */
export function useThrottledTask(delayMs: number, task: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(task);
  const nextAt = useRef(0);
  useEffect(() => {
    latest.current = task;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    const waitMs = Math.max(Math.min(FIRST_MS, delayMs), nextAt.current - performance.now());
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      nextAt.current = performance.now() + delayMs;
      latest.current();
    }, waitMs);
  };
}
