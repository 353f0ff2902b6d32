import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import { toMessage } from './attempts.ts';
import type { AttemptOutcome } from './attempts.ts';
import type { Run } from './claim.ts';
import { recordSubscriber } from './subscribers.ts';

/*
 * Records a run's outcome: one statement closes the attempt, moves the lead and releases the email.
 * The move compares status and round, and needs the attempt to be open. The next run closes it, so
 * a run that has lost its lead changes nothing.
 * Before: `sync.processor.ts` in the worker, with the policy's decision. Next: the console shows
 * the lead's new status.
 */

export type Decision =
  | { move: 'sent'; subscriber: { id: string; status: string } | null }
  | { move: 'failed' }
  /** `delayMs` null: until Beehiiv accepts additions again. */
  | { move: 'wait'; delayMs: number | null; spendsBudget: boolean };

/**
 * Records a run's outcome and the subscriber's status. Returns false and changes nothing if the run
 * had lost the lead. Not one transaction: Postgres then finishes the outcome even if its worker has
 * died, and the nightly comparison learns of the person.
 */
export async function recordOutcome(
  db: Database,
  run: Run,
  outcome: AttemptOutcome,
  decision: Decision,
): Promise<boolean> {
  const movedAt = await moveLead(db, run, outcome, decision);
  const subscriber = decision.move === 'sent' ? decision.subscriber : null;
  if (movedAt !== null && subscriber)
    await recordSubscriber(db, { email: run.lead.emailNormalised, ...subscriber, at: movedAt });
  return movedAt !== null;
}

async function moveLead(
  db: Database,
  run: Run,
  outcome: AttemptOutcome,
  decision: Decision,
): Promise<string | null> {
  const [moved] = await query<{ at: string }>(
    db,
    `with mine as (
       -- Locked before its attempt, as a claim does.
       select id from leads where id = :leadId for no key update
     ), closed as (
       update lead_sync_attempts set class = :class, reason = :reason, http_status = :httpStatus, message = :message,
         request_id = :requestId, took_ms = :tookMs
       from mine where lead_sync_attempts.id = :attemptId and class is null returning lead_id
     ), released as (
       delete from address_leases where email_normalised = :email and leased_by = :attemptId
     ), moved as (
       update leads set outcome_unknown = :outcomeUnknown, beehiiv_response = :response, beehiiv_reason = :reason, ${MOVES[decision.move]}
       from closed where id = closed.lead_id and beehiiv_status = 'pending' and sync_round = :round
       returning id, email_normalised, beehiiv_status
     ), reasserted as (
       -- A subscriber who was added again starts as free.
       update people set version = version + 1, tier_since = sync_now(), attempts = 0, next_attempt_at = sync_now()
       from moved where moved.beehiiv_status = 'sent' and people.email_normalised = moved.email_normalised
         and wanted = 'premium' and confirmed_version = version
     )
     select sync_now()::text as at from moved`,
    {
      attemptId: run.attemptId,
      leadId: run.lead.id,
      email: run.lead.emailNormalised,
      round: run.lead.syncRound,
      class: outcome.class,
      reason: outcome.reason,
      httpStatus: outcome.httpStatus,
      message: toMessage(outcome.message),
      requestId: outcome.requestId,
      tookMs: outcome.tookMs,
      outcomeUnknown: !outcome.isOutcomeKnown,
      response: cutToBytes(outcome.response, 4_096),
      ...valuesOf(decision, run.lead),
    },
    `record ${decision.move}`,
  );
  return moved?.at ?? null;
}

const MOVES: Record<Decision['move'], string> = {
  sent: `beehiiv_status = 'sent', beehiiv_sent_at = sync_now(), next_attempt_at = null,
    consent_due_at = case when consent_marketing and not :hadConsent then sync_now() end`,
  failed: `beehiiv_status = 'failed', failed_at = sync_now(), next_attempt_at = null`,
  // An answer about everybody (a 429, a wrong setting) makes no new lead a retry.
  wait: `next_attempt_at = sync_now() + make_interval(secs => :delaySeconds), sync_attempts = sync_attempts + :spent,
    urgency = case when urgency = 'new' and :class in ('transient', 'permanent') then 'retry' else urgency end`,
};

function valuesOf(decision: Decision, lead: Run['lead']): Record<string, number | boolean | null> {
  if (decision.move === 'failed') return {};
  // A repeat may have given consent meanwhile.
  if (decision.move === 'sent') return { hadConsent: lead.consentMarketing };
  const { delayMs, spendsBudget } = decision;
  return { delaySeconds: delayMs === null ? null : delayMs / 1_000, spent: spendsBudget ? 1 : 0 };
}

/** Cuts a text to `maxBytes` of UTF-8, never inside a character. */
function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.replaceAll('\0', ''));
  if (bytes.length <= maxBytes) return bytes.toString();
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD+$/u, '');
}
