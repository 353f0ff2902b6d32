import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { confirmFault } from '../newsletter/confirm-fault.ts';
import { pauseSlots } from '../newsletter/slots.repository.ts';
import { claimTier, findDueTier, recordActivation, recordTier } from './tier.repository.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterAnswer, NewsletterPort, Subscriber, Verdict } from '../newsletter/newsletter.port.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';
import type { DeliverySettings } from '../newsletter/to-new-subscriber.ts';
import type { FieldCatalog } from '../newsletter/field-catalog.ts';
import { withLeaseRenewal } from '../newsletter/with-lease-renewal.ts';
import { renewAddress } from '@site/platform/outbox/address-lease';
import { decideTier } from './tier.policy.ts';
import type { TierRun } from './tier.repository.ts';

/*
 * Gives subscribers the tier that their subscriptions entitle them to. Like a lead's, a run takes a slot, claims, sends
 * and records. Setting a tier twice is harmless, so there is no look-up first, unless a payment asks for the newsletter:
 * then the subscriber is made active once. Somebody who unsubscribes later stays unsubscribed.
 * Before: `wantTier` in platform/outbox, when a subscription changes. Next: the newsletter port.
 */

export type TierDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: NewsletterPort;
  delivery: DeliverySettings;
  fieldCatalog: Pick<FieldCatalog, 'keepKnown'>;
  backoffBaseMs: number;
  random: () => number;
  newId: () => string;
  /** This process's name, for the attempts. */
  worker: string;
  log: Logger;
};

/** Sets every tier that is due. Returns the number of runs. */
export async function syncDueTiers(deps: TierDeps, signal: AbortSignal): Promise<number> {
  let runs = 0;
  while (!signal.aborted) {
    // Checked before taking a slot: usually there is nothing to do.
    const emailNormalised = await findDueTier(deps.db);
    if (emailNormalised === null || !(await syncTier(deps, emailNormalised, signal))) break;
    runs += 1;
  }
  return runs;
}

/** Runs one address's tier. Returns false if it could not be claimed. */
async function syncTier(deps: TierDeps, emailNormalised: string, signal: AbortSignal): Promise<boolean> {
  const { db, rateLimiter, worker, log } = deps;
  await rateLimiter.waitForSlot(signal);
  const run = await claimTier(db, { emailNormalised, attemptId: deps.newId(), worker });
  if (!run) return false;

  const startedAt = performance.now();
  const answer = await confirmFault(await setTier(deps, run, signal), deps, signal);
  const tookMs = Math.round(performance.now() - startedAt);
  if (answer.class === 'rate-limited') await pauseSlots(db, answer.retryAfterMs ?? 0);
  const decision = decideTier({
    class: answer.class,
    attempts: run.attempts + 1,
    retryAfterMs: answer.retryAfterMs,
    baseMs: deps.backoffBaseMs,
    random: deps.random(),
  });
  await recordTier(db, run, { ...answer, tookMs }, decision.move === 'confirm' ? null : decision.delayMs);
  const { attemptId, wanted, version } = run;
  log.info({ attemptId, wanted, version, class: answer.class, httpStatus: answer.httpStatus, tookMs }, 'tier tried');
  return true;
}

/** Sets the tier, and makes a subscriber active whose payment asks for the newsletter. Returns the answer that decides. */
async function setTier(deps: TierDeps, run: TierRun, signal: AbortSignal): Promise<NewsletterAnswer> {
  const { newsletter } = deps;
  const { emailNormalised, wanted } = run;
  if (!run.mustActivate) return newsletter.setTier(emailNormalised, wanted);

  const waitForSlot = () =>
    withLeaseRenewal(() => renewAddress(deps.db, run.attemptId), deps.rateLimiter.waitForSlot(signal));
  const found = await newsletter.find(emailNormalised);
  if (found.class !== 'accepted') return found;
  if (!found.subscriber) return { ...found, class: 'permanent' };
  const activated = await activate(deps, run, found.subscriber, waitForSlot);
  if (activated && activated.class !== 'accepted') return { ...activated, subscriber: null };
  await waitForSlot();
  const answer = await newsletter.setTier(emailNormalised, wanted);
  if (answer.class !== 'accepted' || answer.subscriber?.status !== 'pending') return answer;
  return { ...answer, class: 'permanent', message: 'Beehiiv set the tier, but the subscriber is still pending' };
}

/** Makes a subscriber active. Returns null if there is nothing to do. */
async function activate(
  { db, newsletter, delivery, fieldCatalog }: TierDeps,
  { emailNormalised, lead }: TierRun,
  { id, status }: Subscriber,
  waitForSlot: () => Promise<unknown>,
): Promise<Verdict | null> {
  if (status === 'pending') {
    await waitForSlot();
    return newsletter.activate(id);
  }
  if (status !== 'inactive') return null;
  await waitForSlot();
  const subscriber = toNewSubscriber(lead, delivery, fieldCatalog);
  const added = await newsletter.add({ ...subscriber, reactivate: true, doubleOptIn: 'off' });
  if (added.class === 'accepted') await recordActivation(db, emailNormalised);
  return added;
}
