const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Statuses that the newsletter, the subscriber or the publisher may yet change soon. */
const UNSETTLED = new Set(['validating', 'pending', 'needs_attention']);

/**
 * Milliseconds until a subscriber is looked up again: a quarter of the time since the lead was sent, so ever
 * more slowly. Unsettled ones between five minutes and a week, settled ones between a day and a month. Pure.
 */
export function refreshIntervalMs(status: string | null, sentAgeMs: number): number {
  const [least, most] = status !== null && UNSETTLED.has(status) ? [5 * MINUTE_MS, 7 * DAY_MS] : [DAY_MS, 30 * DAY_MS];
  return Math.min(most, Math.max(least, sentAgeMs / 4));
}
