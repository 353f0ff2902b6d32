import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { confirmFault } from '../newsletter/confirm-fault.ts';
import { pauseSlots } from '../newsletter/slots.repository.ts';
import { claimTier, findDueTier, recordTier } from './tier.repository.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';
import { decideTier } from './tier.policy.ts';

/*
 * Gives subscribers the tier that their subscriptions entitle them to. Like a lead's, a run takes a slot, claims, sends
 * and records. Setting a tier twice is harmless, so there is no look-up first.
 * Before: `wantTier` in platform/outbox, when a subscription changes. Next: the newsletter port.
 */

export type TierDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: Pick<NewsletterPort, 'setTier' | 'listFields'>;
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
  const { db, rateLimiter, newsletter, worker, log } = deps;
  await rateLimiter.waitForSlot(signal);
  const run = await claimTier(db, { emailNormalised, attemptId: deps.newId(), worker });
  if (!run) return false;

  const startedAt = performance.now();
  const answer = await confirmFault(await newsletter.setTier(emailNormalised, run.wanted), deps, signal);
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
