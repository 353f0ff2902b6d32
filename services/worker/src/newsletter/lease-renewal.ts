import type { Database } from '@site/platform/database/connect';
import { renewAddress } from '@site/platform/outbox/address-lease';
import type { RateLimiter, Urgency } from './rate-limiter.ts';

/** A third of a lease, so that one renewal may fail. */
const RENEW_EVERY_MS = 15_000;

/**
 * Renews a lease until `wait` settles. At a low rate, or after a 429, the wait for a slot may
 * outlast a lease. The caller must check afterwards that it still holds the lease.
 */
export async function withLeaseRenewal<T>(
  renew: () => Promise<unknown>,
  wait: Promise<T>,
): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_EVERY_MS);
  try {
    return await wait;
  } finally {
    clearInterval(timer);
  }
}

/** Waits for a slot and renews the lease before a further request. Returns false if the lease was lost. */
export type PrepareNext = () => Promise<boolean>;

/** Creates the preparation for each further request of a run that leases an email. */
export function createPrepareNext(
  { db, rateLimiter }: { db: Database; rateLimiter: RateLimiter },
  leasedBy: string,
  signal: AbortSignal,
  urgency?: Urgency,
): PrepareNext {
  const renew = () => renewAddress(db, leasedBy);
  return async () => {
    await withLeaseRenewal(renew, rateLimiter.waitForSlot(signal, urgency));
    return renew();
  };
}
