import type { Database } from '@site/platform/database/connect';
import { pauseSlots } from '../newsletter/slots.repository.ts';
import { readSyncHealth } from '@site/platform/sync-health';
import { recordRefresh, claimDueRefresh } from './refresh.repository.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';
import { refreshIntervalMs } from './refresh-interval.ts';

export type RefreshDeps = { db: Database; rateLimiter: RateLimiter; newsletter: NewsletterPort };

/**
 * Looks up the subscribers whose turn it is, one after the other, until none is due or
 * the newsletter is not well. While the sync is paused nothing is asked; a look-up that fails is tried again when its lease is over.
 */
export async function refreshDue({ db, rateLimiter, newsletter }: RefreshDeps, signal: AbortSignal): Promise<number> {
  let looked = 0;
  while (!signal.aborted && !(await readSyncHealth(db)).pausedSince) {
    const due = await claimDueRefresh(db);
    if (!due) break;
    await rateLimiter.pass(signal, 'background');
    const answer = await newsletter.find(due.emailNormalised);
    if (answer.class === 'rate-limited') await pauseSlots(db, answer.retryAfterMs ?? 0);
    // A subscriber called invalid is an answer too; only one that says nothing of the subscriber is not.
    if (answer.subscriber || answer.class === 'accepted') {
      const nextMs = refreshIntervalMs(answer.subscriber?.status ?? null, due.sentAgeMs);
      await recordRefresh(db, due.emailNormalised, answer.subscriber, nextMs);
    }
    looked += 1;
    // It would answer the next subscriber's like this one: let a later turn ask.
    if (answer.class === 'configuration' || answer.class === 'transient') break;
  }
  return looked;
}
