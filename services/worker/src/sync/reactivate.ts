import type { Database } from '@site/platform/database/connect';
import type { Run } from '@site/platform/outbox/claim';
import { recordDeparture, recordSubscribers } from '@site/platform/outbox/subscribers';
import type { PrepareNext } from '../newsletter/lease-renewal.ts';
import type {
  NewsletterAnswer,
  NewsletterPort,
  NewSubscriber,
} from '../newsletter/newsletter.port.ts';
import type { Delivery } from './deliver.ts';

/*
 * Makes somebody who unsubscribed active again, for a payment of their own or a consent they gave
 * afterwards. Beehiiv asks them to confirm a consent.
 */

/**
 * Makes an unsubscribed subscriber active, once. `record` stores that before the request, because
 * its outcome may stay unknown and they may leave again before the next run. It takes the record
 * back if the request had no effect.
 */
export async function reactivate(
  newsletter: NewsletterPort,
  subscriber: NewSubscriber,
  prepareNext: PrepareNext,
  record: (given: { isAsked: boolean }) => Promise<void>,
): Promise<NewsletterAnswer> {
  await record({ isAsked: true });
  const added = await newsletter.add({ ...subscriber, reactivate: true });
  const hadNoEffect = async () =>
    added.isOutcomeKnown ||
    // Without an answer, the request may still be carried out.
    (added.httpStatus !== null &&
      (await prepareNext()) &&
      (await newsletter.find(subscriber.email)).subscriber?.status === 'inactive');
  if (added.class !== 'accepted' && (await hadNoEffect())) await record({ isAsked: false });
  return added;
}

/**
 * Reactivates a lead's person if the consent is newer than our last knowledge of them. An
 * operator's retry begins a round without a new consent.
 */
export function byConsent(
  { db, newsletter }: { db: Database; newsletter: NewsletterPort },
  { lead, knownSince, isPayer }: Pick<Run, 'lead' | 'knownSince' | 'isPayer'>,
  subscriber: NewSubscriber,
  prepareNext: PrepareNext,
): Delivery['reactivate'] {
  const consentAt = lead.consentTimestamp ?? lead.submittedAt;
  const isNewer = knownSince === null || consentAt > knownSince;
  const isOfRound = lead.syncRound === 1 || consentAt >= lead.roundStartedAt;
  if (!lead.consentMarketing || !isOfRound || !isNewer) return undefined;
  const email = lead.emailNormalised;
  const leftBefore = knownSince ?? new Date(consentAt.getTime() - 1);
  return async ({ id, status }) => {
    await recordSubscribers(db, [{ email, id, status }]);
    const asked = { ...subscriber, doubleOptIn: isPayer ? ('off' as const) : ('on' as const) };
    return reactivate(newsletter, asked, prepareNext, ({ isAsked }) =>
      recordDeparture(db, email, isAsked ? 'now' : leftBefore),
    );
  };
}
