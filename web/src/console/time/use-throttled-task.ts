import { useEffect, useRef } from 'react';

/** Returns a function that runs the latest task after a delay, once for all calls until then. */
export function useThrottledTask(delayMs: number, task: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(task);
  useEffect(() => {
    latest.current = task;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, delayMs);
  };
}
