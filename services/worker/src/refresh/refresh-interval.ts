const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Statuses that may soon change. */
const UNSETTLED = new Set(['validating', 'pending', 'needs_attention']);

/**
 * Milliseconds until a subscriber's next status check: a quarter of the time since the lead was sent, but between five
 * minutes and a week while the status is unsettled, and between a day and 30 days otherwise. Pure.
 */
export function refreshIntervalMs(status: string | null, sentAgeMs: number): number {
  const [least, most] = status !== null && UNSETTLED.has(status) ? [5 * MINUTE_MS, 7 * DAY_MS] : [DAY_MS, 30 * DAY_MS];
  return Math.min(most, Math.max(least, sentAgeMs / 4));
}
