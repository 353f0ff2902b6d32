import type { PrepareNext } from '../newsletter/rate-limiter.ts';
import type {
  NewsletterAnswer,
  NewsletterPort,
  NewSubscriber,
  Subscriber,
} from '../newsletter/newsletter.port.ts';
import type { Database } from '@site/platform/database/connect';
import type { Run } from '@site/platform/outbox/claim';
import { recordReturn, recordSubscribers, recordUndoing } from '@site/platform/people/subscribers';

export type Delivery = {
  subscriber: NewSubscriber;
  mayBeThereAlready: boolean;
  /** Reactivates somebody who unsubscribed. Undefined if they have not asked for it. */
  reactivate?: ((found: Subscriber) => Promise<NewsletterAnswer>) | undefined;
};

/**
 * Adds one subscriber, never twice. Looks up a subscriber who may exist, then updates or
 * reactivates them. Returns the deciding answer, or null if the lease was lost. Before:
 * `sync.processor.ts`. Next: the newsletter port, `beehiiv.adapter.ts`.
 */
export async function deliver(
  newsletter: NewsletterPort,
  { subscriber, mayBeThereAlready, reactivate }: Delivery,
  prepareNext: PrepareNext,
): Promise<NewsletterAnswer | null> {
  if (!mayBeThereAlready) {
    const added = await newsletter.add(subscriber);
    const hasLeft = added.subscriber?.status === 'inactive' && reactivate !== undefined;
    if (added.reason !== 'already-subscribed' && !hasLeft) return added;
    if (!(await prepareNext())) return null;
  }
  const found = await newsletter.find(subscriber.email);
  // After a failed look-up, an earlier request may still have taken effect.
  if (found.class !== 'accepted') return { ...found, isOutcomeKnown: false };
  if (!(await prepareNext())) return null;
  const known = found.subscriber;
  if (!known) return confirm(await newsletter.add(subscriber));
  if (known.status === 'inactive' && reactivate) return confirm(await reactivate(known));
  const updated = await newsletter.update(subscriber.email, subscriber.fields);
  if (updated.class === 'accepted') return { ...updated, subscriber: updated.subscriber ?? known };
  // The subscriber exists, so the next run must look them up again after any failure here.
  return { ...updated, isOutcomeKnown: false };
}

/**
 * Confirms an earlier request only by an answer about this person, because with a wrong publication
 * everybody seems absent.
 */
function confirm(added: NewsletterAnswer): NewsletterAnswer {
  const isSettled = added.class === 'accepted' || added.class === 'permanent';
  return isSettled ? added : { ...added, isOutcomeKnown: false };
}

/*
 * Makes somebody who unsubscribed active again, for their own payment or a later consent. Beehiiv
 * asks them to confirm a consent.
 */

/**
 * Makes an unsubscribed subscriber active, once. `record` stores it before the request, whose
 * outcome may stay unknown while the person leaves again. Undoes the record if the request had no
 * effect.
 */
export async function reactivateSubscriber(
  newsletter: NewsletterPort,
  subscriber: NewSubscriber,
  prepareNext: PrepareNext,
  record: (given: { isAsked: boolean }) => Promise<void>,
): Promise<NewsletterAnswer> {
  await record({ isAsked: true });
  const added = await newsletter.add({ ...subscriber, reactivate: true });
  const hadNoEffect = async () =>
    added.isOutcomeKnown ||
    // Without an answer, Beehiiv may still fulfil the request.
    (added.httpStatus !== null &&
      (await prepareNext()) &&
      (await newsletter.find(subscriber.email)).subscriber?.status === 'inactive');
  if (added.class !== 'accepted' && (await hadNoEffect())) await record({ isAsked: false });
  return added;
}

/**
 * Reactivates a lead's person without asking them, because we had unsubscribed their email for
 * somebody else's typo (rule 3.7h).
 */
function byUndoing(
  { db, newsletter }: { db: Database; newsletter: NewsletterPort },
  subscriber: NewSubscriber,
  prepareNext: PrepareNext,
): Delivery['reactivate'] {
  return async ({ id, status }) => {
    const { email } = subscriber;
    await recordSubscribers(db, [{ email, id, status }]);
    const asked = { ...subscriber, doubleOptIn: 'off' as const };
    return reactivateSubscriber(newsletter, asked, prepareNext, ({ isAsked }) =>
      recordUndoing(db, email, !isAsked),
    );
  };
}

/**
 * Reactivates a lead's person if we had unsubscribed them, or if the consent is newer than our last
 * knowledge of them. An operator's retry begins a round without a new consent.
 */
export function byConsent(
  { db, newsletter }: { db: Database; newsletter: NewsletterPort },
  {
    lead,
    knownSince,
    ...run
  }: Pick<Run, 'lead' | 'knownSince' | 'unsubscribedByUs' | 'mustActivate'>,
  subscriber: NewSubscriber,
  prepareNext: PrepareNext,
): Delivery['reactivate'] {
  if (run.mustActivate) return byUndoing({ db, newsletter }, subscriber, prepareNext);
  const consentAt = lead.consentTimestamp ?? lead.submittedAt;
  const isNewer = knownSince === null || consentAt > knownSince;
  const isOfRound = lead.syncRound === 1 || consentAt >= lead.roundStartedAt;
  const counts = run.unsubscribedByUs || (isOfRound && isNewer);
  if (!lead.consentMarketing || !counts) return undefined;
  const email = lead.emailNormalised;
  const leftBefore = knownSince ?? new Date(consentAt.getTime() - 1);
  return async ({ id, status }) => {
    await recordSubscribers(db, [{ email, id, status }]);
    // Anybody may have typed a payer's email, so the payer confirms too.
    const asked = { ...subscriber, doubleOptIn: 'on' as const };
    return reactivateSubscriber(newsletter, asked, prepareNext, ({ isAsked }) =>
      recordReturn(db, email, isAsked ? 'asked' : leftBefore),
    );
  };
}
