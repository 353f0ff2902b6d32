import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { pauseSlots } from '../newsletter/slots.repository.ts';
import { claimTier, findDueTier, recordTier } from './tier.repository.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';
import { decideTier } from './tier.policy.ts';

/*
 * Brings subscribers to the tier that their subscriptions give them: slot, address with an open attempt,
 * request, outcome, as for a lead. Setting a tier twice does no harm, so nothing is looked up first.
 * Before: `wantTier`, by whatever changed a subscription. Next: the newsletter.
 */

export type TierDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: Pick<NewsletterPort, 'setTier'>;
  backoffBaseMs: number;
  random: () => number;
  newId: () => string;
  /** Names this process in the attempts. */
  worker: string;
  log: Logger;
};

/** Brings about every tier that is due, one after the other; returns how many runs that took. */
export async function settleDueTiers(deps: TierDeps, signal: AbortSignal): Promise<number> {
  let runs = 0;
  while (!signal.aborted) {
    // Asked before taking a slot: most of the time there is nothing to do.
    const emailNormalised = await findDueTier(deps.db);
    if (emailNormalised === null || !(await settleTier(deps, emailNormalised, signal))) break;
    runs += 1;
  }
  return runs;
}

/** One run for one address; false when it was not to be had. */
async function settleTier(deps: TierDeps, emailNormalised: string, signal: AbortSignal): Promise<boolean> {
  const { db, rateLimiter, newsletter, worker, log } = deps;
  const limiterGeneration = await rateLimiter.pass(signal);
  const run = await claimTier(db, { emailNormalised, attemptId: deps.newId(), worker, limiterGeneration });
  if (!run) return false;

  const startedAt = performance.now();
  const answer = await newsletter.setTier(emailNormalised, run.wanted);
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
