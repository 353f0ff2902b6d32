import type { NewsletterAnswer, NewsletterPort, NewSubscriber } from '../newsletter/newsletter.port.ts';

/** Asks leave for a further request: passes the rate limiter and keeps the lead. False when the lead was lost meanwhile. */
export type AskForNext = () => Promise<boolean>;

/**
 * Brings one subscriber to the newsletter without ever adding them twice on purpose: where they may be there
 * already they are looked up first, and only brought up to date when they are. Returns the answer that
 * decides, or null when the lead was lost to another run on the way.
 */
export async function deliver(
  newsletter: NewsletterPort,
  subscriber: NewSubscriber,
  mayBeThereAlready: boolean,
  askForNext: AskForNext,
): Promise<NewsletterAnswer | null> {
  if (!mayBeThereAlready) {
    const added = await newsletter.add(subscriber);
    if (!added.saysAlreadyThere) return added;
    if (!(await askForNext())) return null;
  }
  const found = await newsletter.find(subscriber.email);
  // A look-up that fails does not settle what an earlier request did.
  if (found.class !== 'accepted') return { ...found, isOutcomeKnown: false };
  if (!(await askForNext())) return null;
  const mustReactivate = found.subscriber?.status === 'inactive' && subscriber.reactivate;
  if (!found.subscriber || mustReactivate) {
    const added = await newsletter.add(subscriber);
    // "Already there" a second time, although the look-up did not find them: we cannot do more than say so.
    return added.saysAlreadyThere && !found.subscriber ? { ...added, class: 'permanent' } : added;
  }
  const updated = await newsletter.update(subscriber.email, subscriber.fields);
  if (updated.class === 'accepted') return { ...updated, subscriber: updated.subscriber ?? found.subscriber };
  // They are there, which the next run must not forget, whatever kept us from bringing them up to date.
  return { ...updated, isOutcomeKnown: false };
}
