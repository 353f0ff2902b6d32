import { useEffect, useEffectEvent } from 'react';

/**
 * Runs a task repeatedly while the tab is visible, `everyMs` after the previous run has ended. Null stops it. The task
 * handles its own failures.
 */
export function usePolling(everyMs: number | null, task: () => Promise<unknown>): void {
  const run = useEffectEvent(task);
  useEffect(() => {
    if (everyMs === null) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const runAndSchedule = async () => {
      try {
        if (document.visibilityState === 'visible') await run();
      } finally {
        if (!isOver) timer = setTimeout(() => void runAndSchedule(), everyMs);
      }
    };
    timer = setTimeout(() => void runAndSchedule(), everyMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [everyMs]);
}
