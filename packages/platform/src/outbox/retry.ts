import type { Database } from '../database/connect.ts';
import { query, runExclusively } from '../database/query.ts';
import { lockPeopleOf, MAX_LOCKED } from '../people/person.ts';

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
        urgency: isAlone
          ? 'priority'
          : trx.raw(`case when urgency = 'bulk' then 'retry' else urgency end`),
      })
      .returning<{ id: string }[]>('id');
    return [...restarted, ...madeDue.map((row) => row.id)];
  });
}

/** Starts a new round for locked leads that failed. Returns their ids. */
async function restartFailed(
  trx: Database,
  leadIds: string[],
  urgency: 'priority' | 'retry' | 'bulk',
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
 * A bulk retry lists its leads at the start and moves them from failed to pending in batches, below
 * all others. Its row is locked after people, and only for an instant, so Stop waits for no batch.
 */

/**
 * Moves the next batch of the open bulk retry, forward or, once it is stopped, back. Counts the
 * leads of each bulk retry that has some left, and ends the open one if it is over. Returns the
 * number of leads in the batch: 0 if there is nothing to move.
 */
export async function stepBulkRetry(db: Database): Promise<number> {
  const moved = await runExclusively(db, 'bulk retries', async (trx) => {
    const run = await trx('bulk_retries').whereNull('finishedAt').first('id', 'stoppedAt');
    const move = run?.stoppedAt ? giveBackLeads : startLeads;
    const count = run ? await move(trx, run.id) : 0;
    await countLeads(trx);
    return count;
  });
  return moved ?? 0;
}

/** Moves leads from failed to pending. Skips leads that are no longer failed. */
async function startLeads(trx: Database, bulkRetryId: string): Promise<number> {
  const next = await trx('bulk_retry_leads')
    .where({ bulkRetryId, state: 'waiting' })
    .limit(MAX_LOCKED)
    .pluck<string[]>('lead_id');
  await lockPeopleOf(trx, next);
  const started = await restartFailed(trx, next, 'bulk');
  await query(
    trx,
    `update bulk_retry_leads
     set state = case when lead_id = any(:started::uuid[]) then 'started' else 'skipped' end
     where bulk_retry_id = :bulkRetryId and lead_id = any(:next::uuid[])`,
    { bulkRetryId, next, started },
  );
  return next.length;
}

/**
 * Gives back leads of a stopped bulk retry: pending leads without an attempt since are failed
 * again. A quarantine that it lifted stays lifted. Leads already attempted or claimed continue, and
 * so do leads retried by hand or paid for. Ends the bulk retry with its last batch.
 */
async function giveBackLeads(trx: Database, bulkRetryId: string): Promise<number> {
  const leads = await query<{ leadId: string }>(
    trx,
    `select lead_id from bulk_retry_leads join leads on leads.id = lead_id
     where bulk_retry_id = :bulkRetryId and state in ('waiting', 'started') and (
       state = 'waiting'
       or beehiiv_status = 'pending' and urgency = 'bulk' and not exists (
         select from lead_sync_attempts attempt
         where attempt.lead_id = leads.id and attempt.round = sync_round
       )
     )
     limit :limit`,
    { bulkRetryId, limit: MAX_LOCKED },
  );
  const next = leads.map(({ leadId }) => leadId);
  await lockPeopleOf(trx, next);
  // A claim locks its lead alone. The next statement sees the attempt that it opened.
  await trx('leads').whereIn('id', next).orderBy('id').forNoKeyUpdate().select('id');
  await query(
    trx,
    // The previous round's response remains, because only an attempt replaces it.
    `with back as (
       update leads set beehiiv_status = 'failed', next_attempt_at = null
       where id = any(:next::uuid[]) and beehiiv_status = 'pending' and urgency = 'bulk'
         and not exists (
           select from lead_sync_attempts attempt
           where attempt.lead_id = leads.id and attempt.round = sync_round
         )
       returning id
     )
     update bulk_retry_leads set state = 'returned'
     where bulk_retry_id = :bulkRetryId and lead_id = any(:next::uuid[])
       and (state = 'waiting' or lead_id in (select id from back))`,
    { bulkRetryId, next },
  );
  if (next.length < MAX_LOCKED)
    await trx('bulk_retries')
      .where({ id: bulkRetryId })
      .update({ finishedAt: trx.raw('sync_now()') });
  return next.length;
}

/** Counts the leads of bulk retries that have some left. An open one without any is finished. */
async function countLeads(trx: Database): Promise<void> {
  await query(
    trx,
    `update bulk_retries run set
       sent = counted.sent,
       failed = counted.failed,
       waiting = counted.waiting,
       finished_at = coalesce(run.finished_at, case when counted.waiting = 0 then sync_now() end)
     from (
       select * from bulk_retries where finished_at is null or waiting > 0
       order by id
       for no key update
     ) unsettled cross join lateral (
       select count(*) filter (where state = 'sent') as sent,
         count(*) filter (where state = 'failed') as failed,
         count(*) filter (where state in ('waiting', 'started')) as waiting
       from bulk_retry_leads where bulk_retry_id = unsettled.id
     ) counted
     where run.id = unsettled.id
       and (run.sent, run.failed, run.waiting)
         is distinct from (counted.sent, counted.failed, counted.waiting)`,
  );
}
