/** Where the time comes from. Handed down, so that a test can say what time it is. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Whole seconds since 1970, the unit in which both services speak of time. */
export function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1_000);
}
