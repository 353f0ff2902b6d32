import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { claimLead, isLeadDue, renewClaim } from '@site/platform/outbox/claim';
import type { Run } from '@site/platform/outbox/claim';
import { closeGateFor } from '@site/platform/outbox/gate';
import { readSituation } from '@site/platform/outbox/health';
import { recordOutcome } from '@site/platform/outbox/outcome';
import type { FieldCatalog } from '../newsletter/field-catalog.ts';
import type { Gate } from '../newsletter/gate.ts';
import type { NewsletterAnswer, NewsletterPort } from '../newsletter/newsletter.port.ts';
import { toReader } from '../newsletter/to-reader.ts';
import type { DeliverySettings } from '../newsletter/to-reader.ts';
import { deliver } from './deliver.ts';
import { decide } from './sync.policy.ts';

/*
 * One run of one lead: slot, claim with an open attempt, request, outcome. Decides nothing itself.
 * Before: the queue, or the sweep through it. Next: the counter, by the row's new status.
 */

export type SyncDeps = {
  db: Database;
  gate: Gate;
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
  const { db, gate } = deps;
  // Asked before taking a slot: jobs are hints, and a hint about a lead already sent must not cost one.
  if (!(await isLeadDue(db, leadId))) return 'untouched';
  const gateGeneration = await gate.pass(signal);
  const run = await claimLead(db, { leadId, attemptId: deps.newId(), worker: deps.worker, gateGeneration });
  if (!run) return 'untouched';

  const startedAt = performance.now();
  // Not cut short by a stop: a run that has begun is finished, which takes a few slots at most.
  const askForNext = async () => {
    await gate.pass(NEVER);
    return renewClaim(db, run);
  };
  const answer = await deliver(
    deps.newsletter,
    toReader(run.lead, deps.delivery, deps.fieldCatalog),
    run.mayBeThereAlready,
    askForNext,
  );
  return answer ? record(deps, run, answer, Math.round(performance.now() - startedAt)) : 'untouched';
}

async function record(deps: SyncDeps, run: Run, answer: NewsletterAnswer, tookMs: number): Promise<RunResult> {
  const { db, log, backoffBaseMs: baseMs } = deps;
  if (answer.class === 'rate-limited') await closeGateFor(db, answer.retryAfterMs ?? 0);
  const situation = await readSituation(db, run);
  const decision = decide({
    ...situation,
    class: answer.class,
    subscriber: answer.subscriber,
    retryAfterMs: answer.retryAfterMs,
    baseMs,
    random: deps.random(),
  });
  const isOurs = await recordOutcome(db, run, { ...answer, tookMs }, decision);
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

const NEVER = new AbortController().signal;
const LOGGED = { sent: 'lead sent', failed: 'lead failed', wait: 'lead waits' } as const;
