import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { task } from '@site/platform/database/task';
import type { ComparisonDetail } from '@site/platform/database/task';
import { LEASE_SECONDS } from '@site/platform/outbox/email-lease';
import type { ComparisonCounts } from './differences.repository.ts';

/*
 * The task `comparison`: one comparison runs at a time over all processes. The process that
 * reads the list holds a lease. If it ends, another continues where it stopped.
 */

export type ComparisonRun = {
  leasedBy: string;
  startedAt: Date;
  cursor: string | null;
  subscribersRead: number;
};

/**
 * The comparison in progress, or the last comparison. Without a lease, no comparison is in
 * progress.
 */
export type Comparison = ComparisonDetail &
  Pick<Row<'tasks'>, 'leasedUntil' | 'requestedAt' | 'retryAt' | 'failure'>;

/**
 * Starts a comparison, at once or if it is due. Returns null if none is due, or one is in progress.
 * A comparison is due if an operator asked for it, if a retry of the last is due, or daily at 03:00
 * UTC.
 */
export async function startComparison(
  db: Database,
  leasedBy: string,
  when: 'now' | 'due',
): Promise<ComparisonRun | null> {
  const [run] = await query<ComparisonRun>(
    db,
    `update tasks
     set leased_by = :leasedBy, leased_until = sync_now() + make_interval(secs => :lease),
       seen_at = sync_now(), cursor = null, failure = null, requested_at = null, retry_at = null,
       detail = detail || '{"subscribersRead": 0, "unknownRead": 0, "skipped": 0}'
     where name = 'comparison' and leased_until is null and (
       :isNow or requested_at is not null
       -- In a pause or an outage a retry would fail too.
       or (retry_at <= sync_now()
       and (select not is_paused_by_setting and not waits_for_beehiiv from sync_health))
       or seen_at < date_trunc('day', sync_now() - interval '3 hours', 'UTC') + interval '3 hours')
     returning leased_by, seen_at as started_at, cursor,
       (detail ->> 'subscribersRead')::int as subscribers_read`,
    { leasedBy, isNow: when === 'now', lease: LEASE_SECONDS },
  );
  return run ?? null;
}

export async function takeOverComparison(
  db: Database,
  leasedBy: string,
): Promise<ComparisonRun | null> {
  const [run] = await query<ComparisonRun>(
    db,
    `update tasks
     set leased_by = :leasedBy, leased_until = sync_now() + make_interval(secs => :lease)
     where name in (
       select name
       from tasks
       where name = 'comparison' and leased_until <= sync_now()
       for update skip locked
     )
     returning leased_by, seen_at as started_at, cursor,
       (detail ->> 'subscribersRead')::int as subscribers_read`,
    { leasedBy, lease: LEASE_SECONDS },
  );
  return run ?? null;
}

const own = (db: Database, leasedBy: string) => task(db, 'comparison').where({ leasedBy });
const leaseOf = (db: Database) => db.raw('sync_now() + make_interval(secs => ?)', [LEASE_SECONDS]);

export async function renewComparison(db: Database, leasedBy: string): Promise<void> {
  await own(db, leasedBy).update({ leasedUntil: leaseOf(db) });
}

/**
 * Stores that the list has been read up to `cursor`. Returns false if another process took over.
 */
export async function advanceComparison(
  trx: Database,
  leasedBy: string,
  read: { cursor: string | null; subscribers: number; unknown: number; skipped: number },
): Promise<boolean> {
  const { cursor, subscribers, unknown, skipped } = read;
  const advanced = await own(trx, leasedBy).update({
    cursor,
    detail: trx.raw(
      `detail || jsonb_build_object(
         'subscribersRead', (detail ->> 'subscribersRead')::int + :subscribers::int,
         'unknownRead', (detail ->> 'unknownRead')::int + :unknown::int,
         'skipped', (detail ->> 'skipped')::int + :skipped::int)`,
      { subscribers, unknown, skipped },
    ),
    leasedUntil: leaseOf(trx),
  });
  return advanced === 1;
}

/** Locks the comparison until the transaction ends. Returns false if another process took over. */
export async function lockComparison(trx: Database, leasedBy: string): Promise<boolean> {
  return (await own(trx, leasedBy).forUpdate().first('name')) !== undefined;
}

/**
 * Ends the comparison, with its counts or its failure. After a failure another comparison is due in
 * five minutes, or as soon as the pause or outage ends.
 */
export async function endComparison(
  trx: Database,
  leasedBy: string,
  result: ComparisonCounts | { failure: string },
): Promise<void> {
  const retryAt = trx.raw(
    `sync_now() + (select case when is_paused_by_setting or waits_for_beehiiv then interval '0'
       else interval '5 minutes' end from sync_health)`,
  );
  await own(trx, leasedBy).update({
    ...('failure' in result
      ? { failure: result.failure, retryAt }
      : {
          detail: trx.raw(`detail || ? || jsonb_build_object('unknown', detail -> 'unknownRead')`, [
            JSON.stringify(result),
          ]),
          coversUntil: trx.raw('seen_at'),
        }),
    leasedBy: null,
    leasedUntil: null,
    cursor: null,
  });
}

/** Releases the lease, so that another process can continue at once. */
export async function releaseComparison(db: Database, leasedBy: string): Promise<void> {
  await own(db, leasedBy).update({ leasedUntil: db.raw('sync_now()') });
}

export async function readComparison(db: Database): Promise<Comparison> {
  const { detail, ...row } = await queryOne<
    Omit<Comparison, keyof ComparisonDetail> & { detail: ComparisonDetail }
  >(
    db,
    `select leased_until, requested_at, retry_at, failure, detail
     from tasks where name = 'comparison'`,
  );
  return { ...row, ...detail };
}

export async function readSyncTime(db: Database): Promise<Date> {
  return (await queryOne<{ now: Date }>(db, 'select sync_now() as now')).now;
}
