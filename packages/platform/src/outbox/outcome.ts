import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import { toMessage } from './attempts.ts';
import type { AttemptOutcome } from './attempts.ts';
import type { Run } from './claim.ts';

/*
 * Records a run's outcome: one statement closes the attempt, moves the lead, releases the email and
 * stores the subscriber. The move compares status and round, and needs the attempt to be open. The
 * next run closes it, so a run that has lost its lead changes nothing.
 * Before: `sync.processor.ts` in the worker, with the policy's decision. Next: the console shows
 * the lead's new status.
 */

export type Decision =
  | { move: 'sent'; subscriber: { id: string; status: string } | null }
  | { move: 'failed' }
  /** `delayMs` null waits until Beehiiv accepts additions again. */
  | { move: 'wait'; delayMs: number | null; spendsBudget: boolean };

/**
 * Records a run's outcome and the subscriber's status. Returns false and changes nothing if the run
 * had lost the lead. One statement, so that Postgres finishes it even if the worker dies.
 */
export async function recordOutcome(
  db: Database,
  run: Run,
  outcome: AttemptOutcome,
  decision: Decision,
): Promise<boolean> {
  const subscriber = decision.move === 'sent' ? decision.subscriber : null;
  const wait = decision.move === 'wait' ? decision : null;
  const moved = await query(
    db,
    `with locked as materialized (
       -- Leads are locked before attempts and people (rule 5.9).
       select id, beehiiv_status, sync_round from leads
       where email_normalised = :email
       order by id
       for no key update
     ), closed as (
       update lead_sync_attempts set
         class = :class,
         reason = :reason,
         http_status = :httpStatus,
         message = :message,
         request_id = :requestId,
         took_ms = :tookMs
       where id = :attemptId and class is null and (select count(*) from locked) > 0
       returning lead_id
     ), released as (
       delete from email_leases
       where email_normalised = :email and leased_by = :attemptId
     ), ours as (
       select locked.id from locked join closed on lead_id = locked.id
       where beehiiv_status = 'pending' and sync_round = :round
     ), learned as (
       select record_subscriber(
         :email, :subscriberId, :subscriberStatus, sync_now(), false, null, true
       ) as status
       from ours
       where :status = 'sent'
     ), moved as (
       update leads set
         beehiiv_status = :status,
         beehiiv_response = :response,
         beehiiv_reason = :reason,
         beehiiv_sent_at = case when :status = 'sent' then sync_now() end,
         failed_at = case when :status = 'failed' then sync_now() else failed_at end,
         subscriber_status = (select status from learned),
         outcome_unknown = :outcomeUnknown,
         budget_spent = budget_spent + :spent,
         next_attempt_at = sync_now() + make_interval(secs => :delaySeconds),
         -- A repeat may have given consent meanwhile.
         consent_due_at = case
           when :status = 'sent' and consent_marketing and not :hadConsent then sync_now()
         end,
         -- An answer about everybody (a 429, a wrong setting) makes no new lead a retry.
         urgency = case
           when urgency = 'new' and :class in ('transient', 'permanent') then 'retry'
           else urgency
         end
       from ours
       where leads.id = ours.id
       returning leads.id
     ), copied as (
       update leads set subscriber_status = learned.status
       from learned, locked
       where leads.id = locked.id and locked.beehiiv_status = 'sent'
         and subscriber_status is distinct from learned.status
     )
     select from moved`,
    {
      attemptId: run.attemptId,
      email: run.lead.emailNormalised,
      round: run.lead.syncRound,
      class: outcome.class,
      reason: outcome.reason,
      httpStatus: outcome.httpStatus,
      message: toMessage(outcome.message),
      requestId: outcome.requestId,
      tookMs: outcome.tookMs,
      status: decision.move === 'wait' ? 'pending' : decision.move,
      subscriberId: subscriber?.id ?? null,
      subscriberStatus: subscriber?.status ?? null,
      response: cutToBytes(outcome.response, 4_096),
      outcomeUnknown: !outcome.isOutcomeKnown,
      spent: wait?.spendsBudget ? 1 : 0,
      delaySeconds: wait?.delayMs == null ? null : wait.delayMs / 1_000,
      hadConsent: run.lead.consentMarketing,
    },
    'record outcome',
  );
  return moved.length > 0;
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
