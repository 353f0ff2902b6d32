import type { Clock } from '@site/platform/process/clock';

/** Creates a clock that moves only on request. */
export function createFixedClock(start: Date): Clock & { moveTo(at: Date): void } {
  let current = start;
  return {
    now: () => current,
    moveTo(at) {
      current = at;
    },
  };
}
