import type { Database } from '../database/connect.ts';
import type { RetryRunRow } from '../database/tables.ts';
import { IS_NOT_CORRECTED } from './retry.ts';

/*
 * Many failed leads tried again, a few at a time: a run knows its leads from the start, moves them from
 * failed to pending in small batches, and follows each until its new round has ended. New leads never wait
 * behind more than one batch, and what was not started yet can still be left alone.
 */

/** So many leads of a run are on their way at once: forty seconds of work at the usual rate. */
const RUN_BATCH = 100;

export async function findOpenRuns(db: Database): Promise<string[]> {
  return db('retry_runs').whereNull('finishedAt').orderBy('createdAt').pluck('id');
}

/**
 * One step of a run: follows what is under way, begins what there is room for, and ends the run when nothing
 * is left. Returns the leads that are due now.
 */
export async function stepRetryRun(db: Database, runId: string): Promise<string[]> {
  return db.transaction(async (trx) => {
    const run = await trx<RetryRunRow>('retry_runs').where({ id: runId }).whereNull('finishedAt').forUpdate().first();
    if (!run) return [];
    const { underWay, ...settled } = await settleLeads(trx, runId);
    const started = run.stoppedAt ? { due: [], skipped: 0 } : await beginLeads(trx, runId, RUN_BATCH - underWay);
    const next = {
      sent: run.sent + settled.sent,
      failed: run.failed + settled.failed,
      started: run.started + started.due.length,
      skipped: run.skipped + started.skipped + settled.lost,
    };
    const isAtEnd = underWay + started.due.length === 0 && (run.stoppedAt !== null || started.skipped === 0);
    const hasChanged = settled.sent + settled.failed + settled.lost + started.due.length + started.skipped > 0;
    if (isAtEnd || hasChanged) {
      await trx('retry_runs')
        .where({ id: runId })
        .update({ ...next, ...(isAtEnd ? { finishedAt: trx.raw('sync_now()') } : {}) });
    }
    return started.due;
  });
}

/** Takes note of leads whose round has ended; one that somebody else began anew meanwhile is theirs. */
async function settleLeads(
  trx: Database,
  runId: string,
): Promise<{ sent: number; failed: number; lost: number; underWay: number }> {
  const { rows } = await trx.raw(
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
  return rows[0];
}

/**
 * Moves the next leads from failed to pending and remembers what stood on them; those not failed any more, or
 * corrected meanwhile, are skipped.
 */
async function beginLeads(trx: Database, runId: string, room: number): Promise<{ due: string[]; skipped: number }> {
  if (room <= 0) return { due: [], skipped: 0 };
  const { rows } = await trx.raw(
    `with chosen as (
       select lead_id from retry_run_leads where run_id = :runId and state = 'waiting' order by lead_id limit :room
     ), before as (
       select id, beehiiv_response, quarantine_reason from leads join chosen on chosen.lead_id = leads.id
       where beehiiv_status = 'failed' and ${IS_NOT_CORRECTED} order by id for no key update of leads
     ), moved as (
       update leads set beehiiv_status = 'pending', sync_round = sync_round + 1, sync_attempts = 0,
         round_started_at = null, next_attempt_at = sync_now(), quarantine_reason = null
       from before where leads.id = before.id
       returning leads.id, leads.sync_round, before.beehiiv_response, before.quarantine_reason
     ), noted as (
       update retry_run_leads mine set state = case when moved.id is null then 'done' else 'started' end,
         round = moved.sync_round, old_response = moved.beehiiv_response, old_quarantine = moved.quarantine_reason
       from chosen left join moved on moved.id = chosen.lead_id
       where mine.run_id = :runId and mine.lead_id = chosen.lead_id
     )
     select chosen.lead_id, moved.id is not null as is_due from chosen left join moved on moved.id = chosen.lead_id`,
    { runId, room },
  );
  const due = rows.filter((row: { isDue: boolean }) => row.isDue).map((row: { leadId: string }) => row.leadId);
  return { due, skipped: rows.length - due.length };
}

/**
 * Stops a run: begins no more, and gives back the leads that it moved from failed, that had no attempt since
 * and that nobody holds, with what stood on them. Others go their way. Null when there is no open run.
 */
export async function stopRetryRun(trx: Database, runId: string): Promise<RetryRunRow | null> {
  const run = await trx<RetryRunRow>('retry_runs').where({ id: runId }).forUpdate().first();
  if (!run || run.finishedAt || run.stoppedAt) return null;
  // Locked first and judged in a statement of its own, which sees what those who held a lock have done.
  await trx.raw(
    `select from leads join retry_run_leads mine on mine.lead_id = leads.id
     where mine.run_id = :runId and mine.state = 'started' order by leads.id for no key update of leads`,
    { runId },
  );
  const { rows } = await trx.raw(
    `with back as (
       update leads set beehiiv_status = 'failed', next_attempt_at = null,
         beehiiv_response = mine.old_response, quarantine_reason = mine.old_quarantine
       from retry_run_leads mine
       where mine.run_id = :runId and mine.state = 'started' and leads.id = mine.lead_id
         and leads.beehiiv_status = 'pending' and leads.sync_round = mine.round
         and (leads.claimed_until is null or leads.claimed_until <= sync_now())
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
  const [stopped] = await trx<RetryRunRow>('retry_runs')
    .where({ id: runId })
    .update({ returned: rows[0].returned, stoppedAt: trx.raw('sync_now()') })
    .returning('*');
  return stopped ?? null;
}
