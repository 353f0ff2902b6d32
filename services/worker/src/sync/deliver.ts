import type { NewsletterAnswer, NewsletterPort, NewSubscriber } from '../newsletter/newsletter.port.ts';

/** Waits for a slot and renews the lease before a further request. Returns false if the lease was lost. */
export type PrepareNext = () => Promise<boolean>;

/**
 * Adds one subscriber, but never twice: one who may exist already is looked up first, and then updated. Returns the
 * answer that decides, or null if the lease was lost on the way.
 * Before: `sync.processor.ts`. Next: the newsletter port, `beehiiv.adapter.ts`.
 */
export async function deliver(
  newsletter: NewsletterPort,
  subscriber: NewSubscriber,
  mayBeThereAlready: boolean,
  prepareNext: PrepareNext,
): Promise<NewsletterAnswer | null> {
  if (!mayBeThereAlready) {
    const added = await newsletter.add(subscriber);
    if (added.reason !== 'already-subscribed') return added;
    if (!(await prepareNext())) return null;
  }
  const found = await newsletter.find(subscriber.email);
  // A failed look-up does not tell whether an earlier request took effect.
  if (found.class !== 'accepted') return { ...found, isOutcomeKnown: false };
  if (!(await prepareNext())) return null;
  const mustReactivate = found.subscriber?.status === 'inactive' && subscriber.reactivate;
  if (!found.subscriber || mustReactivate) {
    const added = await newsletter.add(subscriber);
    // With a wrong publication everybody seems to be absent. Only an answer about this person settles the earlier request.
    const isSettled = added.class === 'accepted' || added.class === 'permanent';
    return isSettled ? added : { ...added, isOutcomeKnown: false };
  }
  const updated = await newsletter.update(subscriber.email, subscriber.fields);
  if (updated.class === 'accepted') return { ...updated, subscriber: updated.subscriber ?? found.subscriber };
  // The subscriber exists, so the next run must look them up again, whatever failed here.
  return { ...updated, isOutcomeKnown: false };
}
