import { confirmAbsence, confirmFailure } from '../newsletter/confirm-failure.ts';
import {
  claimTier,
  confirmUnsent,
  findDueTier,
  recordActivation,
  recordTier,
} from './tier.repository.ts';
import type { NewsletterAnswer, Subscriber, Verdict } from '../newsletter/newsletter.port.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';
import { createPrepareNext, withLeaseRenewal } from '../newsletter/rate-limiter.ts';
import type { PrepareNext } from '../newsletter/rate-limiter.ts';
import { toJudged } from '@site/schema/beehiiv-answers';
import { renewEmail } from '@site/platform/outbox/email-lease';
import { reactivateSubscriber } from '../sync/deliver.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { decideTier } from './tier.policy.ts';
import type { TierRun } from './tier.repository.ts';

/*
 * Gives subscribers the tier that their subscriptions entitle them to. A run takes a slot, claims,
 * sends and records, like a lead's run. Setting a tier twice is harmless. A payment asks for the
 * newsletter, so the subscriber is made active once. Somebody who unsubscribes later stays
 * unsubscribed, and the comparison lists them. Before: `wantTier` in platform/people, when a
 * subscription changes. Next: the newsletter port.
 */

/** Sets every due tier. Returns the number of runs. */
export async function syncDueTiers(deps: SyncDeps, signal: AbortSignal): Promise<number> {
  let runs = 0;
  await confirmUnsent(deps.db);
  while (!signal.aborted) {
    // Checked before taking a slot, because usually no tier is due.
    const emailNormalised = await findDueTier(deps.db);
    if (emailNormalised === null || !(await syncTier(deps, emailNormalised, signal))) break;
    runs += 1;
  }
  return runs;
}

/** Runs one email's tier. Returns false if it could not be claimed. */
async function syncTier(
  deps: SyncDeps,
  emailNormalised: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, rateLimiter, worker, log } = deps;
  const isDue = async () => (await findDueTier(db)) !== null;
  if (!(await rateLimiter.waitForSlot(signal, 'lead', isDue))) return false;
  const run = await claimTier(db, { emailNormalised, attemptId: deps.newId(), worker });
  if (!run) return false;

  const startedAt = performance.now();
  const given = await setTier(deps, run, createPrepareNext(deps, run.attemptId, signal));
  // The run lost its lease to another, which sets the tier.
  if (!given) return true;
  const answer = await withLeaseRenewal(
    () => renewEmail(db, run.attemptId),
    confirmFailure(given, deps, signal),
  );
  const tookMs = Math.round(performance.now() - startedAt);
  const decision = decideTier({
    class: answer.class,
    reason: answer.reason,
    attempts: run.tierAttempts + 1,
    retryAfterMs: answer.retryAfterMs,
    baseMs: deps.backoffBaseMs,
    random: deps.random(),
  });
  await recordTier(db, run, { ...answer, tookMs }, decision);
  const { attemptId, tier, tierVersion } = run;
  log.info(
    { attemptId, tier, tierVersion, class: answer.class, httpStatus: answer.httpStatus, tookMs },
    'tier tried',
  );
  return true;
}

/**
 * Sets the tier. Looks a new premium subscriber up first. Makes an unconfirmed subscriber active,
 * and an unsubscribed one if a payment asks for the newsletter. Returns the deciding answer, or
 * null if the lease was lost.
 */
async function setTier(
  deps: SyncDeps,
  run: TierRun,
  prepareNext: PrepareNext,
): Promise<NewsletterAnswer | null> {
  const { newsletter } = deps;
  const { emailNormalised, tier } = run;
  const absent = async (
    answer: NewsletterAnswer,
    reason: 'not-subscribed' | 'tier-not-subscribed',
  ) =>
    (await prepareNext())
      ? {
          subscriber: null,
          ...(await confirmAbsence(newsletter, { ...answer, ...toJudged(reason) })),
        }
      : null;
  if (tier === 'free') {
    const answer = await newsletter.setTier(emailNormalised, tier);
    return answer.reason === 'tier-not-subscribed' ? absent(answer, 'not-subscribed') : answer;
  }

  const found = await newsletter.find(emailNormalised);
  if (found.class !== 'accepted') return found;
  if (!found.subscriber) return absent(found, 'tier-not-subscribed');
  if (!(await prepareNext())) return null;
  // Recorded before the request, because its outcome may stay unknown and the person may leave
  // again.
  if (run.mustActivate) await recordActivation(deps.db, run, { isDue: false });
  const activated = await activate(deps, run, found.subscriber, prepareNext);
  if (activated && activated.class !== 'accepted') return { ...activated, subscriber: null };
  if (activated && !(await prepareNext())) return null;
  const answer = await newsletter.setTier(emailNormalised, tier);
  const isPending = answer.subscriber?.status === 'pending';
  if (answer.class !== 'accepted' || !isPending || isAwaited(run)) return answer;
  return {
    ...answer,
    ...toJudged('tier-unchanged'),
    message: 'Beehiiv set the tier, but the subscriber is still pending',
  };
}

/** Somebody who had left confirms a consent themselves, unless they paid since. */
const isAwaited = ({ mustConfirm, mustActivate }: TierRun) => mustConfirm && !mustActivate;

async function activate(
  deps: SyncDeps,
  run: TierRun,
  { id, status }: Subscriber,
  prepareNext: PrepareNext,
): Promise<Verdict | null> {
  const { db, newsletter, delivery, fieldCatalog } = deps;
  // A pending subscriber has not left, so repeating this is safe.
  if (status === 'pending' && !isAwaited(run)) return newsletter.activate(id);
  if (status !== 'inactive' || !run.mustActivate) return null;
  const subscriber = toNewSubscriber(run.lead, run.own, delivery, fieldCatalog, true);
  return reactivateSubscriber(newsletter, subscriber, prepareNext, ({ isAsked }) =>
    recordActivation(db, run, { isDue: !isAsked }),
  );
}
