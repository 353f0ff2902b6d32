/** The time as a dependency, so that a test can set it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

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
