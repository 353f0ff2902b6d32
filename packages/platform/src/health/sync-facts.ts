import type { ConditionKind, SyncState } from '@site/schema/conditions';
import type { Database } from '../database/connect.ts';
import { findMissingMigrations } from '../database/migrate.ts';
import { query, queryOne } from '../database/query.ts';
import { shareReading } from '../process/metrics.ts';
import { readBacklog } from '../outbox/pending.ts';
import type { SyncQueue } from '../outbox/sync-queue.ts';
import { byGravity, findConditions, toState } from './sync-conditions.ts';
import type { Condition, SyncFacts } from './sync-conditions.ts';
import { readSyncHealth } from './sync-health.ts';
import { withTimeout } from '../process/with-timeout.ts';

/*
 * Reads the sync's state. Before: workers and API write `sync_health`, `tasks`, attempts and leads.
 * Next: `sync-conditions.ts` finds the failures.
 */

export type Failure = { kind: ConditionKind; text: string };

/** `facts` is null if Postgres cannot be read. */
export type SyncReading = { state: SyncState; conditions: Condition[]; facts: SyncFacts | null };

const TIMEOUT_MS = 2_000;

export type HealthReader = {
  /** Reads the state now. Never rejects. */
  read: () => Promise<SyncReading>;
  /** Shares a reading of the last two seconds among frequent callers. */
  readShared: () => Promise<SyncReading>;
};

export type HealthSources = {
  db: Database;
  maxPendingMs: number;
  /** Outside production, visitors have private IP addresses. */
  isProduction?: boolean;
  syncQueue?: Pick<SyncQueue, 'prove'>;
  /** Rejects if Postgres cannot be written. */
  tryWrite?: () => Promise<unknown>;
  others?: () => Failure[];
  keptMs?: number;
};

/** Creates a process's only source of the sync's state. */
export function createHealthReader(sources: HealthSources): HealthReader {
  const {
    db,
    maxPendingMs,
    isProduction = false,
    syncQueue,
    tryWrite = () => writeOnTrial(db),
    others,
    keptMs,
  } = sources;
  const since = new Map<ConditionKind, Date>();
  let isMigrated = false;

  /** Finds failures that keep Postgres from storing a lead. */
  async function examineDatabase(): Promise<Failure[]> {
    try {
      const missing = isMigrated
        ? []
        : await withTimeout(TIMEOUT_MS, () => findMissingMigrations(db));
      if (missing.length > 0)
        return [{ kind: 'not-set-up', text: `Migrations are missing: ${missing.join(', ')}.` }];
      isMigrated = true;
      await withTimeout(TIMEOUT_MS, tryWrite);
      return [];
    } catch (failure) {
      return [{ kind: 'cannot-write', text: `${toFailureText(failure)} New leads are refused.` }];
    }
  }

  async function read(): Promise<SyncReading> {
    const [database, facts, redisFailure] = await Promise.all([
      examineDatabase(),
      withTimeout(TIMEOUT_MS, () => readSyncFacts(db)).catch(() => null),
      withTimeout(TIMEOUT_MS, async () => syncQueue?.prove()).then(
        () => null,
        (failure: unknown) => toRedisText(failure),
      ),
    ]);
    const own = [...database, ...(others?.() ?? [])];
    if (redisFailure !== null)
      own.push({
        kind: 'redis-unavailable',
        text: redisFailure,
      });
    if (facts === null && database.length === 0)
      own.push({ kind: 'unknown', text: 'How the sync is could not be read from Postgres.' });
    for (const kind of since.keys())
      if (!own.some((each) => each.kind === kind)) since.delete(kind);
    for (const { kind } of own) if (!since.has(kind)) since.set(kind, new Date());
    const conditions = own.map((each) => ({ ...each, since: since.get(each.kind) ?? new Date() }));
    if (facts) conditions.push(...findConditions(facts, maxPendingMs, isProduction));
    conditions.sort(byGravity);
    return { state: toState(conditions), conditions, facts };
  }

  const shared = shareReading(read, {
    timeoutMs: 3 * TIMEOUT_MS,
    keptMs,
  });
  return { read, readShared: async () => (await shared()) ?? read() };
}

/** Redis refuses new jobs without memory, but it answers. */
const toRedisText = (failure: unknown) =>
  failure instanceof Error && failure.message.startsWith('OOM ')
    ? 'Redis is out of memory. Leads are stored, and wait until it takes jobs again.'
    : 'Redis does not answer. Leads are stored, and nothing is sent until it returns.';

function toFailureText(failure: unknown): string {
  const code = failure instanceof Error && 'code' in failure ? failure.code : '';
  if (code === '25006') return 'Postgres is read-only.';
  if (code === '53100') return 'Postgres has no space left on its disk.';
  return 'Postgres cannot be read or written.';
}

/** Rewrites one row, because a Postgres that cannot write may still be readable. */
async function writeOnTrial(db: Database): Promise<void> {
  await query(db, "update tasks set seen_at = seen_at where name = 'worker'");
}

/**
 * Reads the facts from single rows, counters and indexes, so it costs the same with ten leads and
 * with ten million.
 */
export async function readSyncFacts(db: Database): Promise<SyncFacts> {
  const [health, backlog] = [await readSyncHealth(db), await readBacklog(db)];
  const failing = await readFailing(db, health.lastAcceptedAt, backlog.oldestPendingAt);
  const rest = await queryOne<Omit<SyncFacts, 'health' | 'failing' | keyof typeof backlog>>(
    db,
    `select sync_now() as now, worker.seen_at as worker_seen_at, worker.since as worker_since,
       nullif(resumes_at, '-infinity') as limiter_opens_at,
         -- The lead that has been due longest whose email is free.
         (select min(due_since) from (
            (
              select next_attempt_at as due_since from free_leads
              where beehiiv_status = 'pending' and next_attempt_at <= sync_now()
                and (select not is_paused_by_setting from sync_health)
              order by next_attempt_at
              limit 1
            )
            union all
            (
              select round_started_at from free_leads
              where beehiiv_status = 'pending' and next_attempt_at is null
                and (select not is_paused_by_setting and not waits_for_beehiiv from sync_health)
              order by next_attempt_at
              limit 1
            )
          ) due_leads) as due_since,
         (select max(started_at) from lead_sync_attempts
          where started_at > sync_now() - interval '10 minutes'
            and kind in ('push', 'probe')) as last_run_at,
         coalesce(comparison.covers_until, comparison.since) as compared_at,
         (select min(noticed_at) from notices where channel = 'mail' and attempts > 0
            and noticed_at between sync_now() - interval '7 days' and sync_now() - interval '1 hour'
            and noticed_at > coalesce((select max(sent_at) from notices where channel = 'mail'),
              '-infinity')) as mail_failing_since,
         (select since from notices
          where channel = 'webhook' and what = 'outage') as outage_reported_since,
         (select case when count(*) >= 3
           and bool_and(
             ip_address ~ '^(10|127|169\\.254|192\\.168|172\\.(1[6-9]|2\\d|3[01]))\\.'
             or ip_address ~ '^(::1$|f[cd]|fe[89ab])')
            then min(submitted_at) end
          from (select ip_address, submitted_at
            from leads
            where submitted_at > sync_now() - interval '1 day' and ip_address is not null
            order by submitted_at desc, id desc limit 20) newest) as visitors_hidden_since,
         backups.*, arrived.*, logins.*, failed.*
       from tasks worker, tasks comparison, rate_limiter, lateral (
         select coalesce(backup.covers_until, backup.since) as backed_up_at,
           -- Nothing changes while Postgres is down.
           case when archive.name is not null then
             greatest(archive.covers_until, backup.since,
             pg_postmaster_start_time()) end as archived_at,
           case when backup.failure is not null and backup.retry_at is not null then
             coalesce(backup.covers_until, backup.since) end as backup_failing_since,
           case when archive.failure is not null then archive.since end as log_dropped_since,
           case when trial.failure is not null then trial.since end as trial_failing_since
         from (select) always
           left join tasks backup on backup.name = 'backup' and backup.seen_at is not null
           left join tasks archive on archive.name = 'archive' and backup.name is not null
           left join tasks trial on trial.name = 'trial-restore' and backup.name is not null
       ) backups, lateral (
         select recent_count, case when recent_count >= 200 then (select count(*)::int
           from (select from leads
             where submitted_at >= sync_now() - interval '1 day'
               and submitted_at <= sync_now() - interval '5 minutes'
             limit 300000) before) end as day_before_count
         from (select count(*)::int as recent_count
           from (
             select from leads
             where submitted_at > sync_now() - interval '5 minutes'
             limit 10000
           ) recent) recent
       ) arrived, lateral (
         select count(*)::int as failed_logins, min(at) as failed_logins_since
         from logins where outcome <> 'succeeded' and at > now() - interval '15 minutes'
       ) logins, lateral (
         select count(distinct leads.id)::int as failed_count, min(started_at) as failed_since
         from lead_sync_attempts attempt join leads on leads.id = lead_id
         where started_at > sync_now() - interval '1 hour' and class <> 'accepted'
           and kind in ('push', 'probe')
           and beehiiv_status = 'failed' and quarantine_reason is null
       ) failed
       where worker.name = 'worker' and comparison.name = 'comparison'`,
  );
  return { health, ...backlog, failing, ...rest };
}

/**
 * Reads since when Beehiiv has answered with errors alone: the first error since it last accepted a
 * lead. Returns null if its newest answer about a lead is no error, or nothing waits. Looks only as
 * far back as the longest wait, with a minute for clocks that differ.
 */
async function readFailing(
  db: Database,
  acceptedAt: Date | null,
  oldestPendingAt: Date | null,
): Promise<SyncFacts['failing']> {
  if (oldestPendingAt === null) return null;
  const from = new Date(Math.max(acceptedAt?.getTime() ?? 0, oldestPendingAt.getTime() - 60_000));
  const [failing] = await query<NonNullable<SyncFacts['failing']>>(
    db,
    `select first.started_at as since, newest.class = 'rate-limited' as is_limited
     from (
       select class from lead_sync_attempts
       where started_at > :from and kind in ('push', 'probe')
         and class in ('accepted', 'permanent', 'transient', 'rate-limited')
       order by started_at desc
       limit 1
     ) newest, (
       select started_at from lead_sync_attempts
       where started_at > :from and kind in ('push', 'probe')
         and class in ('transient', 'rate-limited')
       order by started_at
       limit 1
     ) first
     where newest.class in ('transient', 'rate-limited')`,
    { from },
  );
  return failing ?? null;
}
