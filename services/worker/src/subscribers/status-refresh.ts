import type { Database } from '@site/platform/database/connect';
import { claimDueCheck, isCheckDue, recordCheck } from '@site/platform/people/status-check';
import { ABSENT } from '@site/platform/people/subscribers';
import { confirmAbsence } from '../newsletter/confirm-failure.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';

export type RefreshDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: Pick<NewsletterPort, 'find' | 'listFields'>;
};

/**
 * Looks up the people whose check is due, until none is due or Beehiiv fails. Does nothing while
 * the sync is paused by a setting. Accepted is not confirmed, so a new subscriber's status is read
 * again at growing intervals. Later the nightly comparison reads it, or an event asks for it. Never
 * changes a lead's status. Returns the number of stored answers.
 */
export async function refreshDue(
  { db, rateLimiter, newsletter }: RefreshDeps,
  signal: AbortSignal,
): Promise<number> {
  const isDue = () => isCheckDue(db);
  let checked = 0;
  while (!signal.aborted && (await isDue())) {
    if (!(await rateLimiter.waitForSlot(signal, 'background', isDue))) break;
    const due = await claimDueCheck(db);
    if (!due) break;
    const { subscriber, ...given } = await newsletter.find(due.emailNormalised);
    const isAbsent = given.class === 'accepted' && !subscriber;
    if (isAbsent) await rateLimiter.waitForSlot(signal, 'background');
    const answer = isAbsent ? await confirmAbsence(newsletter, given) : given;
    // A rejected email ("permanent", with a subscriber) is a status too.
    // A refused look-up has no news, and would be refused again.
    if (subscriber || answer.class === 'accepted' || answer.class === 'permanent') {
      await recordCheck(db, due, subscriber ?? { id: null, status: isAbsent ? ABSENT : null });
      checked += 1;
    }
    // The next look-up would fail in the same way, so the rest waits for a later turn.
    if (answer.class === 'configuration' || answer.class === 'transient') break;
  }
  return checked;
}
