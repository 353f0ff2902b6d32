/** Where the time comes from. Handed down, so that a test can say what time it is. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that can be moved on, and runs on from there. */
export type MovableClock = Clock & {
  offsetMs(): number;
  setOffsetMs(ms: number): void;
  /** Seconds since 1970. */
  setNow(seconds: number): void;
};

export function createMovableClock(base: Clock): MovableClock {
  let offset = 0;
  return {
    now: () => new Date(base.now().getTime() + offset),
    offsetMs: () => offset,
    setOffsetMs: (ms) => (offset = ms),
    setNow: (seconds) => (offset = seconds * 1_000 - base.now().getTime()),
  };
}

/** Whole seconds since 1970, the unit in which both services speak of time. */
export function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1_000);
}
