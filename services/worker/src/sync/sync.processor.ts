import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { claimLead, isLeadDue, renewClaim } from '@site/platform/outbox/claim';
import type { Run } from '@site/platform/outbox/claim';
import { pauseSlots } from '../newsletter/slots.repository.ts';
import type { FieldCatalog } from '../newsletter/field-catalog.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import { withLeaseRenewal } from '../newsletter/with-lease-renewal.ts';
import type { NewsletterAnswer, NewsletterPort } from '../newsletter/newsletter.port.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';
import type { DeliverySettings } from '../newsletter/to-new-subscriber.ts';
import { deliver } from './deliver.ts';
import { recordRun } from './record-run.ts';
import { readSituation } from './situation.repository.ts';
import { decide } from './sync.policy.ts';

/*
 * One run of one lead: slot, claim with an open attempt, request, outcome. Decides nothing itself.
 * Before: the queue, or the sweep through it. Next: the counter, by the row's new status.
 */

export type SyncDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: NewsletterPort;
  delivery: DeliverySettings;
  fieldCatalog: Pick<FieldCatalog, 'keepKnown'>;
  backoffBaseMs: number;
  random: () => number;
  newId: () => string;
  /** Names this process in the attempts. */
  worker: string;
  log: Logger;
};

/** After a run, leads may fall due sooner than the sweep knew: this one, put off, or all, when a probe got through. */
export type RunResult = 'untouched' | 'settled' | 'others-may-be-due';

/** Tries one lead now. Does nothing for a lead that is not due, or that another run has. */
export async function processLead(deps: SyncDeps, leadId: string, signal: AbortSignal): Promise<RunResult> {
  const { db, rateLimiter } = deps;
  // Asked before taking a slot: jobs are hints, and a hint about a lead already sent must not cost one.
  if (!(await isLeadDue(db, leadId))) return 'untouched';
  const limiterGeneration = await rateLimiter.pass(signal);
  const run = await claimLead(db, { leadId, attemptId: deps.newId(), worker: deps.worker, limiterGeneration });
  if (!run) return 'untouched';

  const startedAt = performance.now();
  const askForNext = async () => {
    await withLeaseRenewal(() => renewClaim(db, run), rateLimiter.pass(signal));
    return renewClaim(db, run);
  };
  const subscriber = toNewSubscriber(run.lead, deps.delivery, deps.fieldCatalog);
  const answer = await deliver(deps.newsletter, subscriber, run.mayBeThereAlready, askForNext).catch(
    async (error: unknown) => {
      if (signal.aborted) await releaseRun(db, run);
      throw error;
    },
  );
  return answer ? record(deps, run, answer, Math.round(performance.now() - startedAt)) : 'untouched';
}

async function record(deps: SyncDeps, run: Run, answer: NewsletterAnswer, tookMs: number): Promise<RunResult> {
  const { db, log, backoffBaseMs: baseMs } = deps;
  if (answer.class === 'rate-limited') await pauseSlots(db, answer.retryAfterMs ?? 0);
  const situation = await readSituation(db, run);
  const decision = decide({
    ...situation,
    class: answer.class,
    subscriber: answer.subscriber,
    retryAfterMs: answer.retryAfterMs,
    baseMs,
    random: deps.random(),
  });
  const isOurs = await recordRun(db, run, { ...answer, tookMs }, decision);
  const fields = {
    leadId: run.lead.id,
    round: run.lead.syncRound,
    class: answer.class,
    httpStatus: answer.httpStatus,
    tookMs,
  };
  if (isOurs) log.info(fields, LOGGED[decision.move]);
  else log.warn(fields, 'lead was lost to another run');
  return decision.move === 'wait' || run.kind === 'probe' ? 'others-may-be-due' : 'settled';
}

/** Gives up a run that was stopped while it waited for its next slot: another worker may begin at once, and looks first. */
async function releaseRun(db: Database, run: Run): Promise<void> {
  const outcome: AttemptOutcome = {
    class: 'unknown',
    httpStatus: null,
    message: 'The worker was stopped before the next request',
    response: run.lead.beehiivResponse ?? '',
    requestId: null,
    tookMs: 0,
    isOutcomeKnown: false,
  };
  await recordRun(db, run, outcome, { move: 'wait', delayMs: 0, spendsBudget: false });
}

const LOGGED = { sent: 'lead sent', failed: 'lead failed', wait: 'lead waits' } as const;
