import type { PrepareNext } from '../newsletter/lease-renewal.ts';
import type {
  NewsletterAnswer,
  NewsletterPort,
  NewSubscriber,
  Subscriber,
} from '../newsletter/newsletter.port.ts';

export type Delivery = {
  subscriber: NewSubscriber;
  mayBeThereAlready: boolean;
  /** Reactivates somebody who unsubscribed. Undefined if they have not asked for it. */
  reactivate?: ((found: Subscriber) => Promise<NewsletterAnswer>) | undefined;
};

/**
 * Adds one subscriber, never twice: one who may exist is looked up first, then updated or
 * reactivated. Returns the answer that decides, or null if the lease was lost on the way.
 * Before: `sync.processor.ts`. Next: the newsletter port, `beehiiv.adapter.ts`.
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
  // A failed look-up leaves open whether an earlier request took effect.
  if (found.class !== 'accepted') return { ...found, isOutcomeKnown: false };
  if (!(await prepareNext())) return null;
  const known = found.subscriber;
  if (!known) return settle(await newsletter.add(subscriber));
  if (known.status === 'inactive' && reactivate) return settle(await reactivate(known));
  const updated = await newsletter.update(subscriber.email, subscriber.fields);
  if (updated.class === 'accepted') return { ...updated, subscriber: updated.subscriber ?? known };
  // The subscriber exists, so the next run must look them up again after any failure here.
  return { ...updated, isOutcomeKnown: false };
}

/**
 * Settles an earlier request only by an answer about this person: with a wrong publication,
 * everybody seems to be absent.
 */
function settle(added: NewsletterAnswer): NewsletterAnswer {
  const isSettled = added.class === 'accepted' || added.class === 'permanent';
  return isSettled ? added : { ...added, isOutcomeKnown: false };
}
