/** Where the time comes from. Handed down, so that a test can say what time it is. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved. */
export function createFixedClock(start: Date): Clock & { moveTo(at: Date): void } {
  let current = start;
  return {
    now: () => current,
    moveTo(at) {
      current = at;
    },
  };
}
