import type { Database } from '../database/connect.ts';
import { lockLeadsOf, settlePeopleOf } from './people.ts';
import { query, queryOne } from '../database/query.ts';
import type { RetryRunRow } from '../database/tables.ts';

/**
 * Makes leads due now. A failed lead starts a new round, and its quarantine ends; a pending lead stays in its round.
 * Sent, claimed and corrected leads are left alone. A lead that is retried alone comes first. Returns the ids that are now due.
 * Before: the operator's Retry, or the API when it lifts a quarantine. Next: `sync-queue.ts`.
 */
export async function retryLeads(db: Database, leadIds: string[]): Promise<string[]> {
  const isAlone = leadIds.length === 1;
  return db.transaction(async (trx) => {
    await lockLeadsOf(trx, leadIds);
    const restarted = await trx('leads')
      .whereIn('id', leadIds)
      .where({ beehiivStatus: 'failed' })
      .whereNull('correctedTo')
      .update({
        beehiivStatus: 'pending',
        syncRound: trx.raw('sync_round + 1'),
        budgetSpent: 0,
        // A round without a new consent starts after the lead's consent (rule 2.13), even if the
        // clock has stepped back since.
        roundStartedAt: trx.raw(
          "greatest(sync_now(), coalesce(consent_timestamp, submitted_at) + interval '1 millisecond')",
        ),
        nextAttemptAt: trx.raw('sync_now()'),
        quarantineReason: null,
        urgency: isAlone ? 'first' : 'retry',
      })
      .returning<{ id: string }[]>('id');
    const madeDue = await trx('leads')
      .whereIn('id', leadIds)
      .whereNotIn(
        'id',
        restarted.map((row) => row.id),
      )
      .where({ beehiivStatus: 'pending' })
      .whereNull('correctedTo')
      .whereRaw('not exists (select from claimed_leads where lead_id = leads.id)')
      .update({
        nextAttemptAt: trx.raw('least(next_attempt_at, sync_now())'),
        ...(isAlone && { urgency: 'first' }),
      })
      .returning<{ id: string }[]>('id');
    // Somebody whose quarantine ends counts from now on.
    await settlePeopleOf(
      trx,
      restarted.map((row) => row.id),
    );
    return [...restarted, ...madeDue].map((row) => row.id);
  });
}

/*
 * Bulk retry: a run lists its leads at the start, moves them from failed to pending in small batches, and follows each
 * until its new round has ended. New leads never wait behind more than one batch, and stopping a run spares the rest.
 */

/** Leads of a run that are pending at once: about 40 seconds of work at the usual rate. */
const RUN_BATCH = 100;

/**
 * Advances a run by one step: counts the settled leads, starts more up to the limit, and finishes the
 * run if none is left. Returns the leads that are now due.
 */
export async function stepRetryRun(db: Database, runId: string): Promise<string[]> {
  return db.transaction(async (trx) => {
    const run = await trx<RetryRunRow>('retry_runs')
      .where({ id: runId })
      .whereNull('finishedAt')
      .forUpdate()
      .first();
    if (!run) return [];
    const { underWay, ...settled } = await settleLeads(trx, runId);
    const started = await startLeads(trx, runId, RUN_BATCH - underWay);
    const next = {
      sent: run.sent + settled.sent,
      failed: run.failed + settled.failed,
      started: run.started + started.due.length,
      skipped: run.skipped + started.skipped + settled.lost,
    };
    const isAtEnd = underWay + started.due.length + started.skipped === 0;
    const hasChanged =
      settled.sent + settled.failed + settled.lost + started.due.length + started.skipped > 0;
    if (isAtEnd || hasChanged) {
      await trx('retry_runs')
        .where({ id: runId })
        .update({ ...next, ...(isAtEnd ? { finishedAt: trx.raw('sync_now()') } : {}) });
    }
    return started.due;
  });
}

/**
 * Marks leads whose round has ended as done. A lead that somebody else has retried since counts as
 * lost.
 */
async function settleLeads(
  trx: Database,
  runId: string,
): Promise<{ sent: number; failed: number; lost: number; underWay: number }> {
  return queryOne(
    trx,
    `with ended as (
       update retry_run_leads mine set state = 'done' from leads
       where mine.run_id = :runId and mine.state = 'started' and leads.id = mine.lead_id
         and (leads.beehiiv_status <> 'pending' or leads.sync_round <> mine.round)
       returning case when leads.sync_round = mine.round then leads.beehiiv_status end as status
     )
     select count(*) filter (where status = 'sent') as sent, count(*) filter (where status = 'failed') as failed,
       count(*) filter (where status is null) as lost,
       (select count(*) from retry_run_leads where run_id = :runId and state = 'started') - count(*) as under_way
     from ended`,
    { runId },
  );
}

/**
 * Moves the next leads from failed to pending, and keeps their old response and quarantine reason. Skips leads that are
 * no longer failed, have been corrected, or were deleted meanwhile.
 */
async function startLeads(
  trx: Database,
  runId: string,
  room: number,
): Promise<{ due: string[]; skipped: number }> {
  if (room <= 0) return { due: [], skipped: 0 };
  const next = await trx('retry_run_leads')
    .where({ runId, state: 'waiting' })
    .orderBy('leadId')
    .limit(room)
    .pluck<string[]>('lead_id');
  await lockLeadsOf(trx, next);
  const chosen = await query<{ leadId: string; isDue: boolean; wasQuarantined: boolean }>(
    trx,
    `with chosen as (
       select lead_id from retry_run_leads where run_id = :runId and lead_id = any(:next::uuid[])
     ), before as (
       select id, beehiiv_response, quarantine_reason from leads join chosen on chosen.lead_id = leads.id
       where beehiiv_status = 'failed' and corrected_to is null
     ), moved as (
       update leads set beehiiv_status = 'pending', sync_round = sync_round + 1, budget_spent = 0,
         -- After the consent, as in a retry of one lead.
         round_started_at = greatest(sync_now(), coalesce(consent_timestamp, submitted_at) + interval '1 millisecond'),
         next_attempt_at = sync_now(), quarantine_reason = null, urgency = 'retry'
       from before where leads.id = before.id
       returning leads.id, leads.sync_round, before.beehiiv_response, before.quarantine_reason
     ), noted as (
       update retry_run_leads mine set state = case when moved.id is null then 'done' else 'started' end,
         round = moved.sync_round, old_response = moved.beehiiv_response, old_quarantine = moved.quarantine_reason
       from chosen left join moved on moved.id = chosen.lead_id
       where mine.run_id = :runId and mine.lead_id = chosen.lead_id
     )
     select chosen.lead_id, moved.id is not null as is_due, moved.quarantine_reason is not null as was_quarantined
     from chosen left join moved on moved.id = chosen.lead_id`,
    { runId, next },
  );
  const released = chosen.filter((row) => row.wasQuarantined).map((row) => row.leadId);
  await settlePeopleOf(trx, released);
  const due = chosen.filter((row) => row.isDue).map((row) => row.leadId);
  return { due, skipped: next.length - due.length };
}

/**
 * Stops a run, which ends it. Leads that it moved to pending and that have had no attempt since become failed again,
 * with their old response and quarantine reason; those already attempted or claimed carry on, and so do those that
 * were retried by hand or paid for. Returns null if the run is not open.
 */
export async function stopRetryRun(trx: Database, runId: string): Promise<RetryRunRow | null> {
  const run = await trx<RetryRunRow>('retry_runs').where({ id: runId }).forUpdate().first();
  if (!run || run.finishedAt) return null;
  // Lock first: the next statement then sees what the previous holders of the locks have changed.
  const begun = trx('retry_run_leads').where({ runId, state: 'started' });
  await lockLeadsOf(trx, await begun.pluck<string[]>('lead_id'));
  const { returned } = await queryOne<{ returned: number }>(
    trx,
    `with back as (
       update leads set beehiiv_status = 'failed', next_attempt_at = null,
         beehiiv_response = mine.old_response, quarantine_reason = mine.old_quarantine
       from retry_run_leads mine
       where mine.run_id = :runId and mine.state = 'started' and leads.id = mine.lead_id
         and leads.beehiiv_status = 'pending' and leads.sync_round = mine.round
         -- Otherwise retried by hand, or paid for, since.
         and leads.urgency = 'retry'
         and not exists (select from claimed_leads where lead_id = leads.id)
         and not exists (
           select from lead_sync_attempts attempt where attempt.lead_id = leads.id and attempt.round = mine.round
         )
       returning leads.id
     ), noted as (
       update retry_run_leads mine set state = 'done' from back where mine.run_id = :runId and mine.lead_id = back.id
     )
     select count(*) as returned from back`,
    { runId },
  );
  const quarantined = await trx('retry_run_leads')
    .where({ runId })
    .whereNotNull('oldQuarantine')
    .pluck<string[]>('lead_id');
  await settlePeopleOf(trx, quarantined);
  const { sent, failed, lost } = await settleLeads(trx, runId);
  const now = trx.raw('sync_now()');
  const [stopped] = await trx<RetryRunRow>('retry_runs')
    .where({ id: runId })
    .update({
      sent: run.sent + sent,
      failed: run.failed + failed,
      skipped: run.skipped + lost,
      returned,
      stoppedAt: now,
      finishedAt: now,
    })
    .returning('*');
  return stopped ?? null;
}
