import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import type { RetryRunRow } from '@site/platform/database/tables';
import { ADDRESS_REASONS, describeAnswer } from '@site/schema/beehiiv-answers';
import type { RetryFilter } from '@site/schema/calls/retry';
import type { Knex } from 'knex';
import { whereLeads } from '../leads/lead-filter.ts';

/**
 * Selects the failed leads that a run would retry, quarantined ones included, without those whose address was corrected and
 * those that wait for their turn in another run.
 * The only status of the filter that narrows it is "quarantined".
 */
function whereFailed(
  db: Database,
  { ids, failedInRefusalPause, withoutInvalid, status, ...filter }: RetryFilter,
): Knex.QueryBuilder {
  const query = whereLeads(db, db('leads'), filter).where('beehiivStatus', 'failed');
  if (status === 'quarantined') void query.whereNotNull('quarantineReason');
  void query.whereNull('correctedTo').whereRaw(
    `not exists (select from retry_run_leads mine join retry_runs run on run.id = run_id
       where mine.lead_id = leads.id and mine.state = 'waiting' and run.finished_at is null and run.stopped_at is null)`,
  );
  if (withoutInvalid)
    void query.whereRaw('(leads.beehiiv_reason = any(?)) is not true', [ADDRESS_REASONS]);
  if (ids) void query.whereIn('leads.id', ids);
  if (failedInRefusalPause) {
    void query.whereRaw('leads.id in (select lead_id from refused_in_pause)');
  }
  return query;
}

type FailedCounts = { count: number; quarantined: number; invalid: number };

/** Counts the failed leads that a run would retry, and those of them whose address was refused. */
export async function countFailed(db: Database, filter: RetryFilter): Promise<FailedCounts> {
  const [row] = await whereFailed(db, filter).select<FailedCounts[]>(
    db.raw('count(*) filter (where quarantine_reason is null) as count'),
    db.raw('count(quarantine_reason) as quarantined'),
    db.raw(
      'count(*) filter (where quarantine_reason is null and beehiiv_reason = any(?)) as invalid',
      [ADDRESS_REASONS],
    ),
  );
  return row ?? { count: 0, quarantined: 0, invalid: 0 };
}

/** Inserts a run with its leads. Quarantined leads are included only if asked for. */
export async function insertRun(
  trx: Database,
  {
    id,
    operator,
    filter,
    withQuarantined,
  }: { id: string; operator: string; filter: RetryFilter; withQuarantined: boolean },
): Promise<Pick<RetryRunRow, 'total'>> {
  await trx('retry_runs').insert({
    id,
    operator,
    filter: JSON.stringify(toStoredFilter(filter, withQuarantined)),
  });
  const chosen = whereFailed(trx, filter).select(trx.raw('?::uuid', [id]), 'leads.id');
  if (!withQuarantined) void chosen.whereNull('quarantineReason');
  await trx.into(trx.raw('retry_run_leads (run_id, lead_id)')).insert(chosen);
  const [run] = await trx<RetryRunRow>('retry_runs')
    .where({ id })
    .update({ total: trx.raw('(select count(*) from retry_run_leads where run_id = ?)', [id]) })
    .returning('*');
  if (!run) throw new Error('the run has just been inserted');
  return run;
}

/** Describes a run's filter. A selection is stored as a number, since its ids say nothing to an operator. */
function toStoredFilter(
  { ids, ...filter }: RetryFilter,
  withQuarantined: boolean,
): Record<string, unknown> {
  return {
    ...filter,
    ...(ids ? { selected: ids.length } : {}),
    ...(withQuarantined ? { withQuarantined } : {}),
  };
}

/**
 * Lists why leads of ended runs failed again, at most three reasons each, as labels. Reads at most
 * 200 leads of a run, so that a large one costs no more.
 */
export async function listRunFailures(
  db: Database,
  runs: readonly RetryRunRow[],
): Promise<Map<string, string[]>> {
  const ids = runs
    .filter(({ failed, finishedAt }) => failed > 0 && finishedAt !== null)
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: { runId: string; reasons: string[] }[] }>(
    `select run.id as run_id, (array_agg(distinct reason))[1:3] as reasons
     from unnest(:ids::uuid[]) run (id), lateral (
       select attempt.reason from retry_run_leads mine
       join lead_sync_attempts attempt on attempt.lead_id = mine.lead_id and attempt.round = mine.round
       where mine.run_id = run.id and attempt.class = 'permanent' and attempt.reason is not null limit 200
     ) failure group by run.id`,
    { ids },
  );
  return new Map(rows.map(({ runId, reasons }) => [runId, reasons.map(describeAnswer)]));
}

type Pace = { pending: number; requestsPerMinute: number | null };

/** Reads what an estimate needs: the backlog and the workers' rate. */
export async function readPace(db: Database): Promise<Pace> {
  return queryOne<Pace>(
    db,
    `select (select coalesce(sum(leads), 0)::bigint from lead_counts where beehiiv_status = 'pending') as pending,
       requests_per_minute from rate_limiter`,
  );
}
