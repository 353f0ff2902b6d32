import { toJudged } from '@site/schema/beehiiv-answers';
import { listCustomFields } from '@site/schema/lead-fields';
import { confirmAbsence } from '../newsletter/confirm-failure.ts';
import type { NewsletterAnswer, Subscriber } from '../newsletter/newsletter.port.ts';
import type { PrepareNext } from '../newsletter/rate-limiter.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';
import { byConsent, deliver, reactivateSubscriber } from '../sync/deliver.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { isAwaited } from './next-step.ts';
import type { RequestStep } from './next-step.ts';
import { recordActivation } from './person.repository.ts';
import type { Run } from './person.repository.ts';

/** Sends a step's request. Returns its answer, or null if the lease was lost. */
export async function carryOut(
  deps: SyncDeps,
  run: Run,
  step: RequestStep,
  prepareNext: PrepareNext,
  found: Subscriber | null = null,
): Promise<NewsletterAnswer | null> {
  const { db, newsletter, fieldCatalog } = deps;
  const { kind, emailNormalised: email, tier, sender } = run;
  const subscriber =
    sender &&
    toNewSubscriber(sender.lead, sender.own, deps.delivery, fieldCatalog, sender.isPremium);
  // Spent before the request, because its outcome may stay unknown and the person may leave again.
  const spend = ({ isAsked } = { isAsked: true }) => recordActivation(db, run, { isDue: !isAsked });
  switch (step) {
    case 'look up': {
      const answer = await newsletter.find(email);
      if (answer.subscriber || answer.class !== 'accepted') return answer;
      if (!(await prepareNext())) return null;
      const isMissed = kind === 'tier' && tier === 'premium';
      const absence = isMissed ? { ...answer, ...toJudged('tier-not-subscribed') } : answer;
      return { subscriber: null, ...(await confirmAbsence(newsletter, absence)) };
    }
    case 'remove':
      return found && newsletter.remove(found.id);
    case 'unsubscribe': {
      const fields = Object.fromEntries(listCustomFields().map((name) => [name, '']));
      const ours = Object.keys(fieldCatalog.keepKnown(fields));
      const answer = await newsletter.unsubscribe(email, ours);
      return { ...answer, subscriber: answer.subscriber ?? found };
    }
    case 'activate':
      if (run.mustActivate) await spend();
      return found && { ...(await newsletter.activate(found.id)), subscriber: null };
    case 'reactivate':
      return subscriber && reactivateSubscriber(newsletter, subscriber, prepareNext, spend);
    case 'set tier': {
      if (run.mustActivate) await spend();
      const answer = tier && (await newsletter.setTier(email, tier));
      const isPending = tier === 'premium' && answer?.subscriber?.status === 'pending';
      if (answer?.class !== 'accepted' || !isPending || isAwaited(run)) return answer;
      const message = 'Beehiiv set the tier, but the subscriber is still pending';
      return { ...answer, ...toJudged('tier-unchanged'), message };
    }
    case 'deliver': {
      // The list may be out of date: somebody who unsubscribed is not missing. A consent after that
      // may count.
      const reactivate =
        subscriber && kind === 'consent'
          ? byConsent(deps, sender, subscriber, prepareNext)
          : undefined;
      const delivery = subscriber && { subscriber, mayBeThereAlready: true, reactivate };
      return delivery && deliver(newsletter, delivery, prepareNext);
    }
  }
}
