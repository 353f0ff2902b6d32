import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { BulkRetryRow } from '@site/platform/database/tables';
import { EMAIL_REASONS } from '@site/schema/beehiiv-answers';
import { BULK_RETRIES_SHOWN } from '@site/schema/calls/retry';
import type { RetryFilter } from '@site/schema/calls/retry';
import type { Knex } from 'knex';
import { whereLeads } from '../leads/lead-filter.ts';

/**
 * Selects the failed leads that a bulk retry would retry, including quarantined leads. Of the
 * filter's statuses, only "quarantined" narrows them.
 */
function whereFailed(
  db: Database,
  { ids, failedInRefusalPause, withoutInvalid, status, ...filter }: RetryFilter,
): Knex.QueryBuilder {
  const query = whereLeads(db('leads'), filter).where('beehiivStatus', 'failed');
  if (status === 'quarantined') void query.whereNotNull('quarantineReason');
  if (withoutInvalid)
    void query.whereRaw('(leads.beehiiv_reason = any(?)) is not true', [EMAIL_REASONS]);
  if (ids) void query.whereIn('leads.id', ids);
  if (failedInRefusalPause) {
    void query.whereRaw('leads.id in (select lead_id from refused_in_pause)');
  }
  return query;
}

type FailedCounts = { count: number; quarantined: number; invalid: number };

/**
 * Counts the failed leads that a bulk retry would retry, and how many of them had their email
 * refused.
 */
export async function countFailed(db: Database, filter: RetryFilter): Promise<FailedCounts> {
  const [row] = await whereFailed(db, filter).select<FailedCounts[]>(
    db.raw('count(*) filter (where quarantine_reason is null) as count'),
    db.raw('count(quarantine_reason) as quarantined'),
    db.raw(
      'count(*) filter (where quarantine_reason is null and beehiiv_reason = any(?)) as invalid',
      [EMAIL_REASONS],
    ),
  );
  return row ?? { count: 0, quarantined: 0, invalid: 0 };
}

/**
 * Inserts a bulk retry with its leads. Includes quarantined leads only on request. Returns null
 * while another bulk retry is open.
 */
export async function insertRun(
  trx: Database,
  {
    id,
    operator,
    filter,
    withQuarantined,
  }: { id: string; operator: string; filter: RetryFilter; withQuarantined: boolean },
): Promise<Pick<BulkRetryRow, 'total'> | null> {
  // A selection is stored as a number, because its ids mean nothing to an operator.
  const { ids, ...stored } = filter;
  const described = {
    ...stored,
    ...(ids && { selected: ids.length }),
    ...(withQuarantined && { withQuarantined }),
  };
  const inserted = await trx('bulk_retries')
    .insert({ id, operator, filter: JSON.stringify(described) })
    .onConflict()
    .ignore()
    .returning('id');
  if (inserted.length === 0) return null;
  const chosen = whereFailed(trx, filter).select(trx.raw('?::uuid', [id]), 'leads.id');
  if (!withQuarantined) void chosen.whereNull('quarantineReason');
  // Leaves out leads that are being deleted.
  void chosen.forKeyShare('leads').skipLocked();
  await trx.into(trx.raw('bulk_retry_leads (bulk_retry_id, lead_id)')).insert(chosen);
  const listed = 'select count(*) from bulk_retry_leads where bulk_retry_id = bulk_retries.id';
  const [run] = await trx<BulkRetryRow>('bulk_retries')
    .where({ id })
    .update({ total: trx.raw(`(${listed})`), waiting: trx.raw(`(${listed})`) })
    .returning('*');
  if (!run) throw new Error('the bulk retry has just been inserted');
  return run;
}

export const listBulkRetries = (db: Database) =>
  db<BulkRetryRow>('bulk_retries').orderBy('createdAt', 'desc').limit(BULK_RETRIES_SHOWN);

/** Finds the bulk retry in progress. Its totals are from its last step. */
export const findOpenRun = (db: Database) =>
  db<BulkRetryRow>('bulk_retries').whereNull('finishedAt').first<BulkRetryRow | undefined>();

/** Reads the number of waiting leads, and the workers' rate. */
export const readPace = (db: Database) =>
  queryOne<{ pending: number; requestsPerMinute: number | null }>(
    db,
    `select (
       select coalesce(sum(leads), 0)::bigint
       from lead_counts
       where beehiiv_status = 'pending'
     ) as pending,
       requests_per_minute from rate_limiter`,
  );

export const findRun = (db: Database, id: string) =>
  db<BulkRetryRow>('bulk_retries').where({ id }).first<BulkRetryRow | undefined>();

/** Stops a bulk retry. Returns false if it is not open. */
export async function stopRun(db: Database, id: string): Promise<boolean> {
  const open = db('bulk_retries').where({ id }).whereNull('finishedAt').whereNull('stoppedAt');
  return (await open.update({ stoppedAt: db.raw('sync_now()') })) > 0;
}

/** Reads the facts that decide about a lead's retry. */
export const findToRetry = (db: Database, id: string) =>
  db('leads').where({ id }).first('quarantineReason');
