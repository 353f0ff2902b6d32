import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { renewEmail } from '@site/platform/outbox/email-lease';
import { claimLead } from '@site/platform/outbox/claim';
import type { Choice, Run } from '@site/platform/outbox/claim';
import { countDueLeads } from '@site/platform/outbox/pending';
import { confirmFailure } from '../newsletter/confirm-failure.ts';
import type { FieldCatalog } from '../newsletter/field-catalog.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import { recordInHealth } from '@site/platform/health/sync-health';
import { createPrepareNext, withLeaseRenewal } from '../newsletter/rate-limiter.ts';
import type { NewsletterAnswer, NewsletterPort, Verdict } from '../newsletter/newsletter.port.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';
import type { DeliverySettings } from '../newsletter/to-new-subscriber.ts';
import { deliver, byConsent } from './deliver.ts';
import { recordOutcome } from '@site/platform/outbox/outcome';
import type { Decision } from '@site/platform/outbox/outcome';
import { toJudged } from '@site/schema/beehiiv-answers';
import { NO_FAILURE, readSituation } from './situation.repository.ts';
import { decide, isSignForAll } from './sync.policy.ts';

/*
 * One run: slot, claim of a lead, request, outcome. Decides nothing itself.
 * Before: `sync-queue.ts`, filled by the API or by `sweep.ts`. Next: `deliver.ts` sends,
 * `sync.policy.ts` decides.
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

/** The class of the deciding answer, and the lead's next step. */
export type RunResult = { class: Verdict['class']; move: Decision['move'] };

/** Latest start of a run's first request after its claim: well within the lease. */
const LATEST_START_MS = 30_000;

/** Runs the most urgent due lead, or the longest overdue retry. Returns null if none is due. */
export async function processLead(
  deps: SyncDeps,
  choice: Choice,
  signal: AbortSignal,
): Promise<RunResult | null> {
  // A job must not use up a slot if its lead has been sent meanwhile.
  const isAnyDue = async () => choice === 'probe' || (await countDueLeads(deps.db, 1)) > 0;
  if (!(await deps.rateLimiter.waitForSlot(signal, 'lead', isAnyDue))) return null;
  const { db } = deps;
  const startedAt = performance.now();
  const run = await claimLead(db, { choice, attemptId: deps.newId(), worker: deps.worker });
  // A frozen process may have lost its lead to a run that looks the email up first.
  if (!run || performance.now() - startedAt > LATEST_START_MS) return null;

  const prepareNext = createPrepareNext(deps, run.attemptId, signal);
  const { lead, own, isPremium } = run;
  const subscriber = toNewSubscriber(lead, own, deps.delivery, deps.fieldCatalog, isPremium);
  const delivery = {
    subscriber,
    mayBeThereAlready: run.mayBeThereAlready,
    reactivate: byConsent(deps, run, subscriber, prepareNext),
  };
  try {
    const answer = await deliver(deps.newsletter, delivery, prepareNext);
    if (!answer) return null;
    const confirmed = await withLeaseRenewal(
      () => renewEmail(db, run.attemptId),
      confirmFailure(answer, deps, signal),
    );
    return await record(deps, run, confirmed, Math.round(performance.now() - startedAt));
  } catch (error) {
    if (signal.aborted) await releaseRun(db, run);
    throw error;
  }
}

async function record(
  deps: SyncDeps,
  run: Run,
  answer: NewsletterAnswer,
  tookMs: number,
): Promise<RunResult> {
  const { db, log, backoffBaseMs: baseMs } = deps;
  const situation = answer.class === 'accepted' ? NO_FAILURE : await readSituation(db, run);
  const decision = decide(answer, situation, { baseMs, random: deps.random() });
  const isSign = isSignForAll(answer, situation, {
    round: run.lead.syncRound,
    isPremium: run.isPremium,
  });
  const isOurs = await recordRun(db, run, { ...answer, tookMs }, decision, isSign);
  const fields = {
    leadId: run.lead.id,
    traceId: run.lead.traceId,
    round: run.lead.syncRound,
    class: answer.class,
    httpStatus: answer.httpStatus,
    tookMs,
  };
  if (isOurs) log.info(fields, LOGGED[decision.move]);
  else log.warn(fields, 'another run has taken over the lead');
  return { class: answer.class, move: decision.move };
}

/**
 * Records a run's outcome on its attempt and lead, then in the sync's health. Returns false and
 * leaves the lead alone if the run had lost it. Not one transaction, because nobody may wait for
 * the single row of `sync_health`. The next outcome corrects a missing one.
 */
export async function recordRun(
  db: Database,
  run: Run,
  outcome: AttemptOutcome,
  decision: Decision,
  isSignForAll: boolean,
): Promise<boolean> {
  const isOurs = await recordOutcome(db, run, outcome, decision);
  await recordInHealth(db, outcome, isSignForAll);
  return isOurs;
}

/**
 * Releases a run that was stopped while it waited for its next slot. The next run can start at
 * once, with a look-up.
 */
async function releaseRun(db: Database, run: Run): Promise<void> {
  const outcome: AttemptOutcome = {
    ...toJudged('not-recorded'),
    httpStatus: null,
    message: 'The worker was stopped before the next request',
    response: run.lead.beehiivResponse ?? '',
    requestId: null,
    tookMs: 0,
    isOutcomeKnown: false,
  };
  await recordRun(db, run, outcome, { move: 'wait', delayMs: 0, spendsBudget: false }, false);
}

const LOGGED = { sent: 'lead sent', failed: 'lead failed', wait: 'lead will be retried' } as const;
