/** Tells the time. Passed in, so that a test can set it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** A clock that can be moved and keeps running from there. */
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

/** Returns whole seconds since 1970, the unit that both Stripe and Beehiiv use. */
export function epochSeconds(clock: Clock): number {
  return Math.floor(clock.now().getTime() / 1_000);
}
