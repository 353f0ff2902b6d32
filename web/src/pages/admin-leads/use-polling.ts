import { useEffect, useEffectEvent } from 'react';

/**
 * Runs a task again and again, `everyMs` after the last run has ended, while the tab is visible; null stops it.
 * The task deals with its own failures.
 */
export function usePolling(everyMs: number | null, task: () => Promise<unknown>): void {
  const run = useEffectEvent(task);
  useEffect(() => {
    if (everyMs === null) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const runAndGoOn = async () => {
      try {
        if (document.visibilityState === 'visible') await run();
      } finally {
        if (!isOver) timer = setTimeout(() => void runAndGoOn(), everyMs);
      }
    };
    timer = setTimeout(() => void runAndGoOn(), everyMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [everyMs]);
}
