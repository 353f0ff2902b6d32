/** A third of a lease, so that one renewal may fail. */
const RENEW_EVERY_MS = 15_000;

/**
 * Renews a lease until `wait` settles: at a low rate, or after a 429, the wait for a slot may be longer than a lease. The
 * caller must then check that it still holds the lease.
 */
export async function withLeaseRenewal<T>(renew: () => Promise<unknown>, wait: Promise<T>): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}
