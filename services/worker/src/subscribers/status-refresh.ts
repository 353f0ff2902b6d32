import type { Database } from '@site/platform/database/connect';
import { claimDueCheck, recordSubscribers } from '@site/platform/people/subscribers';
import { readSyncHealth } from '@site/platform/health/sync-health';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';

export type RefreshDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: Pick<NewsletterPort, 'find'>;
};

/**
 * Looks up unsettled statuses that are due, until none is due or Beehiiv fails. Does nothing while
 * the sync is paused. Accepted is not confirmed, so a new subscriber's status is read again at
 * growing intervals. Later the nightly comparison reads it, even for an absent person. Never
 * changes a lead's status.
 */
export async function refreshDue(
  { db, rateLimiter, newsletter }: RefreshDeps,
  signal: AbortSignal,
): Promise<number> {
  let checked = 0;
  while (!signal.aborted && !(await readSyncHealth(db)).isPausedBySetting) {
    const due = await claimDueCheck(db);
    if (!due) break;
    await rateLimiter.waitForSlot(signal, 'background');
    const { subscriber, ...answer } = await newsletter.find(due.emailNormalised);
    // A rejected email ("permanent", with a subscriber) is a status too.
    if (subscriber)
      await recordSubscribers(db, [{ email: due.emailNormalised, ...subscriber, at: due.askedAt }]);
    checked += 1;
    // The next look-up would fail in the same way, so the rest waits for a later turn.
    if (answer.class === 'configuration' || answer.class === 'transient') break;
  }
  return checked;
}
