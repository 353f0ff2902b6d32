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
 * One run of one lead: slot, claim, request, outcome. Decides nothing itself.
 * Before: `sync-queue.ts`, filled by the API or by `sweep.ts`. Next: `deliver.ts` sends, `sync.policy.ts` decides, and
 * `record-run.ts` records.
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
  /** This process's name, for the attempts. */
  worker: string;
  log: Logger;
};

/** "others-may-be-due": this lead waits, or a probe has ended a pause, so the sweep should look again soon. */
export type RunResult = 'untouched' | 'settled' | 'others-may-be-due';

/** Runs one lead now. Does nothing if the lead is not due, or if another run has claimed it. */
export async function processLead(deps: SyncDeps, leadId: string, signal: AbortSignal): Promise<RunResult> {
  const { db, rateLimiter } = deps;
  // Checked before taking a slot: a job for a lead that is already sent must not cost one.
  if (!(await isLeadDue(db, leadId))) return 'untouched';
  const limiterGeneration = await rateLimiter.waitForSlot(signal);
  const run = await claimLead(db, { leadId, attemptId: deps.newId(), worker: deps.worker, limiterGeneration });
  if (!run) return 'untouched';

  const startedAt = performance.now();
  const prepareNext = async () => {
    await withLeaseRenewal(() => renewClaim(db, run), rateLimiter.waitForSlot(signal));
    return renewClaim(db, run);
  };
  const subscriber = toNewSubscriber(run.lead, deps.delivery, deps.fieldCatalog);
  const answer = await deliver(deps.newsletter, subscriber, run.mayBeThereAlready, prepareNext).catch(
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
  else log.warn(fields, 'another run has taken over the lead');
  return decision.move === 'wait' || run.kind === 'probe' ? 'others-may-be-due' : 'settled';
}

/** Releases a run that was stopped while it waited for its next slot. The next run can start at once, with a look-up. */
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

const LOGGED = { sent: 'lead sent', failed: 'lead failed', wait: 'lead will be retried' } as const;
