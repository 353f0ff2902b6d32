/** The longest delay, in multiples of the base: 6 h at 30 s. */
const MAX_FACTOR = 720;

/**
 * Returns the milliseconds until the next attempt, after `attempts` (1 for the first). Doubles from
 * `baseMs`, at most `maxFactor` times the base. Half of it is random, so that leads that failed
 * together return apart. `random` is in [0, 1). Pure.
 */
export function backoffMs(
  attempts: number,
  baseMs: number,
  random: number,
  maxFactor = MAX_FACTOR,
): number {
  const factor = Math.min(maxFactor, 2 ** Math.max(0, Math.min(attempts - 1, 30)));
  return Math.round(baseMs * factor * (0.5 + random / 2));
}
