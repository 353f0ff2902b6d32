/** A third of a lease: one renewal may fail without harm. */
const RENEW_EVERY_MS = 15_000;

/**
 * Waits for `wait`, and renews a lease meanwhile: at a low rate, or after a 429, the next slot may be
 * further off than a lease is long. Whether the lease still holds is for the caller to ask afterwards.
 */
export async function withLeaseRenewal<T>(renew: () => Promise<unknown>, wait: Promise<T>): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}
