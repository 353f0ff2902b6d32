import type { Database } from '../database/connect.ts';
import { lockPeopleOf } from '../people/person.ts';
import { query, queryOne } from '../database/query.ts';

/**
 * Makes leads due now and returns their ids. A failed lead starts a new round, and its quarantine
 * ends. A pending lead stays in its round. Sent and claimed leads are left alone. A lead retried
 * alone comes first. Before: the operator's Retry, or the API when it lifts a quarantine.
 * Next: `sync-queue.ts`.
 */
export async function retryLeads(db: Database, leadIds: string[]): Promise<string[]> {
  const isAlone = leadIds.length === 1;
  return db.transaction(async (trx) => {
    await lockPeopleOf(trx, leadIds);
    const restarted = await restartFailed(trx, leadIds, isAlone ? 'priority' : 'retry');
    const madeDue = await trx('leads')
      .whereIn('id', leadIds)
      .whereNotIn('id', restarted)
      .where({ beehiivStatus: 'pending' })
      .whereRaw('not exists (select from claimed_leads where lead_id = leads.id)')
      .update({
        nextAttemptAt: trx.raw('least(next_attempt_at, sync_now())'),
        ...(isAlone && { urgency: 'priority' }),
      })
      .returning<{ id: string }[]>('id');
    return [...restarted, ...madeDue.map((row) => row.id)];
  });
}

/** Starts a new round for locked leads that failed. Returns their ids. */
async function restartFailed(
  trx: Database,
  leadIds: string[],
  urgency: 'priority' | 'retry',
): Promise<string[]> {
  const restarted = await trx('leads')
    .whereIn('id', leadIds)
    .where({ beehiivStatus: 'failed' })
    .update({
      beehiivStatus: 'pending',
      syncRound: trx.raw('sync_round + 1'),
      budgetSpent: 0,
      // The round must start after the lead's consent (rule 2.13), even if the clock has stepped
      // back since.
      roundStartedAt: trx.raw(
        `greatest(
          sync_now(),
          coalesce(consent_timestamp, submitted_at) + interval '1 millisecond')`,
      ),
      nextAttemptAt: trx.raw('sync_now()'),
      quarantineReason: null,
      urgency,
    })
    .returning<{ id: string }[]>('id');
  return restarted.map((row) => row.id);
}

/*
 * A bulk retry lists its leads at the start, moves them from failed to pending in small batches,
 * and follows each until its new round has ended. Stopping it spares the rest. Moved all at once,
 * the retried leads would delay a new lead that failed once for hours, and Stop would have to move
 * all of them back.
 */

/** A bulk retry's leads pending at once: about 40 seconds of work at the usual rate. */
const RUN_BATCH = 100;

/**
 * Advances a bulk retry: counts the leads whose round has ended, starts more up to the limit, and
 * finishes the bulk retry if none is left. Returns the leads that are now due.
 */
export async function stepBulkRetry(db: Database, bulkRetryId: string): Promise<string[]> {
  return db.transaction(async (trx) => {
    const run = trx('bulk_retries').where({ id: bulkRetryId }).whereNull('finishedAt');
    if (!(await run.clone().forUpdate().first('id'))) return [];
    const { underWay, ...settled } = await countEnded(trx, bulkRetryId);
    const { due, skipped } = await startLeads(trx, bulkRetryId, RUN_BATCH - underWay);
    const moved = { ...settled, started: due.length, skipped: settled.skipped + skipped };
    const isAtEnd = underWay + due.length + skipped === 0;
    if (isAtEnd) void run.update({ finishedAt: trx.raw('sync_now()') });
    if (isAtEnd || Object.values(moved).some((count) => count > 0)) await run.increment(moved);
    return due;
  });
}

/**
 * Counts the leads of stopped bulk retries that were under way at the stop, once their round has
 * ended.
 */
export async function settleStopped(db: Database): Promise<void> {
  const stopped = await query<{ id: string }>(
    db,
    `select distinct bulk_retries.id
     from bulk_retry_leads join bulk_retries on bulk_retries.id = bulk_retry_id
     where state = 'started' and finished_at is not null`,
  );
  for (const { id } of stopped) {
    await db.transaction(async (trx) => {
      const run = trx('bulk_retries').where({ id });
      await run.clone().forUpdate().first('id');
      const { underWay: _, ...settled } = await countEnded(trx, id);
      if (Object.values(settled).some((count) => count > 0)) await run.increment(settled);
    });
  }
}

/**
 * Marks leads whose round has ended as done. A lead that somebody else has retried since counts as
 * skipped.
 */
async function countEnded(
  trx: Database,
  bulkRetryId: string,
): Promise<{ sent: number; failed: number; skipped: number; underWay: number }> {
  return queryOne(
    trx,
    `with ended as (
       update bulk_retry_leads mine set state = 'done' from leads
       where mine.bulk_retry_id = :bulkRetryId and mine.state = 'started'
         and leads.id = mine.lead_id
         and (leads.beehiiv_status <> 'pending' or leads.sync_round <> mine.round)
       returning case when leads.sync_round = mine.round then leads.beehiiv_status end as status
     )
     select count(*) filter (where status = 'sent') as sent,
       count(*) filter (where status = 'failed') as failed,
       count(*) filter (where status is null) as skipped,
       (
         select count(*)
         from bulk_retry_leads
         where bulk_retry_id = :bulkRetryId and state = 'started'
       ) - count(*) as under_way
     from ended`,
    { bulkRetryId },
  );
}

/**
 * Moves the next leads from failed to pending. Skips leads that are no longer failed, have been
 * corrected, or were deleted meanwhile.
 */
async function startLeads(
  trx: Database,
  bulkRetryId: string,
  room: number,
): Promise<{ due: string[]; skipped: number }> {
  if (room <= 0) return { due: [], skipped: 0 };
  const next = await trx('bulk_retry_leads')
    .where({ bulkRetryId, state: 'waiting' })
    .orderBy('leadId')
    .limit(room)
    .pluck<string[]>('lead_id');
  await lockPeopleOf(trx, next);
  await query(
    trx,
    `update bulk_retry_leads mine set
       state = case when is_due then 'started' else 'done' end,
       round = case when is_due then sync_round + 1 end
     from leads cross join lateral (
       select beehiiv_status = 'failed' as is_due
     ) judged
     where bulk_retry_id = :bulkRetryId and lead_id = any(:next::uuid[]) and leads.id = lead_id`,
    { bulkRetryId, next },
  );
  const due = await restartFailed(trx, next, 'retry');
  return { due, skipped: next.length - due.length };
}

/**
 * Stops a bulk retry, which ends it. Its pending leads without an attempt since become failed
 * again. A quarantine that it lifted stays lifted. Leads already attempted or claimed continue, and
 * so do leads retried by hand or paid for. Returns false if the bulk retry is not open.
 */
export async function stopBulkRetry(trx: Database, bulkRetryId: string): Promise<boolean> {
  const run = trx('bulk_retries').where({ id: bulkRetryId }).whereNull('finishedAt');
  if (!(await run.clone().forUpdate().first('id'))) return false;
  // Locks first, so that the next statement sees the changes by earlier holders of the locks.
  const begun = trx('bulk_retry_leads').where({ bulkRetryId, state: 'started' });
  await lockPeopleOf(trx, await begun.pluck<string[]>('lead_id'));
  const back = await query(
    trx,
    // The previous round's response remains, because only an attempt replaces it.
    `update leads
     set beehiiv_status = 'failed', next_attempt_at = null
     from bulk_retry_leads mine
     where mine.bulk_retry_id = :bulkRetryId and mine.state = 'started' and leads.id = mine.lead_id
       and leads.beehiiv_status = 'pending' and leads.sync_round = mine.round
       -- Any other urgency: retried by hand, or paid for, since.
       and leads.urgency = 'retry'
       and not exists (select from claimed_leads where lead_id = leads.id)
       and not exists (
         select from lead_sync_attempts attempt
         where attempt.lead_id = leads.id and attempt.round = mine.round
       )
     returning leads.id`,
    { bulkRetryId },
  );
  const { sent, failed, skipped } = await countEnded(trx, bulkRetryId);
  const now = trx.raw('sync_now()');
  await run
    .update({ returned: back.length, stoppedAt: now, finishedAt: now })
    // Leads that moved back would otherwise count as failed.
    .increment({ sent, failed: failed - back.length, skipped });
  return true;
}
