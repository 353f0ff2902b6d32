import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { readBacklog } from '../outbox/pending.ts';
import { readSyncHealth } from './sync-health.ts';

/*
 * Reads the facts of the sync, one subject a statement. Before: workers and API write
 * `sync_health`, `tasks`, attempts and leads. Next: `sync-conditions.ts` finds the failures.
 */

/**
 * Reads the facts from single rows, counters and indexes, so it costs the same with ten leads and
 * with ten million.
 */
export async function readSyncFacts(db: Database) {
  const health = await readSyncHealth(db);
  const backlog = await readBacklog(db);
  return {
    health,
    ...backlog,
    ...(await readRuns(db)),
    dueSince: await readDueSince(db),
    failing: await readFailing(db, health.lastAcceptedAt, backlog.oldestPendingAt),
    ...(await readFailed(db)),
    ...(await readArrivals(db)),
    visitorsHiddenSince: await readVisitorsHiddenSince(db),
    ...(await readFailedLogins(db)),
    ...(await readBackups(db)),
    ...(await readNotices(db)),
  };
}

export type SyncFacts = Awaited<ReturnType<typeof readSyncFacts>>;

const readRuns = (db: Database) =>
  queryOne<{
    now: Date;
    /** A worker's last sign of life, and the start of the time without a gap before it. */
    workerSeenAt: Date;
    workerSince: Date;
    /**
     * Since when a worker can record that it runs: the last start or refusal of Postgres. Null if
     * its absence is reported, because a restart of Postgres does not end it.
     */
    reachableSince: Date | null;
    lastRunAt: Date | null;
    /** The time at which the rate limiter opens, or opened, after the latest 429. */
    limiterOpensAt: Date | null;
    /** The start of the last finished comparison. Before the first, when it became due. */
    comparedAt: Date;
  }>(
    db,
    `select sync_now() as now, worker.seen_at as worker_seen_at, worker.since as worker_since,
       case
         when not exists (
           select from notices
           where channel = 'webhook' and what = 'no-worker' and resolved_at is null
         ) then pg_postmaster_start_time()
       end as reachable_since,
       nullif(resumes_at, '-infinity') as limiter_opens_at,
       coalesce(comparison.covers_until, comparison.since) as compared_at,
       (
         select max(started_at) from lead_sync_attempts
         where started_at > sync_now() - interval '10 minutes' and kind in ('push', 'probe')
       ) as last_run_at
     from tasks worker, tasks comparison, rate_limiter
     where worker.name = 'worker' and comparison.name = 'comparison'`,
  );

/** Reads the earliest due time of a lead whose email no run is serving. */
async function readDueSince(db: Database): Promise<Date | null> {
  const { dueSince } = await queryOne<{ dueSince: Date | null }>(
    db,
    `select min(due_since) as due_since from (
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
     ) due_leads`,
  );
  return dueSince;
}

/** `isLimited` if the newest answer is a 429. */
type Failing = { since: Date; isLimited: boolean };

/**
 * Reads since when Beehiiv has answered with errors alone: the first error since it last accepted a
 * lead. Returns null if its newest answer about a lead is no error, or nothing waits. Looks only as
 * far back as the longest wait, with a minute for clocks that differ.
 */
async function readFailing(
  db: Database,
  acceptedAt: Date | null,
  oldestPendingAt: Date | null,
): Promise<Failing | null> {
  if (oldestPendingAt === null) return null;
  const from = new Date(Math.max(acceptedAt?.getTime() ?? 0, oldestPendingAt.getTime() - 60_000));
  const [failing] = await query<Failing>(
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

/** Leads that failed in the last hour, except quarantined leads. */
const readFailed = (db: Database) =>
  queryOne<{ failedCount: number; failedSince: Date | null }>(
    db,
    `select count(distinct leads.id)::int as failed_count, min(started_at) as failed_since
     from lead_sync_attempts attempt join leads on leads.id = lead_id
     where started_at > sync_now() - interval '1 hour' and class <> 'accepted'
       and kind in ('push', 'probe')
       and beehiiv_status = 'failed' and quarantine_reason is null`,
  );

const readArrivals = (db: Database) =>
  queryOne<{ recentCount: number; dayBeforeCount: number | null }>(
    db,
    `select recent_count, case
         -- Until then no rate is usual.
         when recent_count >= 200 and 100 = (
           select count(*) from (
             select from leads where submitted_at < sync_now() - interval '1 day' limit 100
           ) earlier
         ) then (
           select count(*)::int from (
             select from leads
             where submitted_at >= sync_now() - interval '1 day'
               and submitted_at <= sync_now() - interval '5 minutes'
             limit 300000
           ) before
         )
       end as day_before_count
     from (
       select count(*)::int as recent_count from (
         select from leads
         where submitted_at > sync_now() - interval '5 minutes'
         limit 10000
       ) recent
     ) counted`,
  );

/** Reads since when each of the newest twenty leads has a private IP address. */
async function readVisitorsHiddenSince(db: Database): Promise<Date | null> {
  const { hiddenSince } = await queryOne<{ hiddenSince: Date | null }>(
    db,
    `select case
         when count(*) >= 3 and bool_and(
           ip_address ~ '^(10|127|169\\.254|192\\.168|172\\.(1[6-9]|2\\d|3[01]))\\.'
           or ip_address ~ '^(::1$|f[cd]|fe[89ab])'
         ) then min(submitted_at)
       end as hidden_since
     from (
       select ip_address, submitted_at from leads
       where submitted_at > sync_now() - interval '1 day' and ip_address is not null
       order by submitted_at desc, id desc
       limit 20
     ) newest`,
  );
  return hiddenSince;
}

const readFailedLogins = (db: Database) =>
  queryOne<{ failedLogins: number; failedLoginsSince: Date | null }>(
    db,
    `select count(*)::int as failed_logins, min(at) as failed_logins_since
     from logins
     where outcome <> 'succeeded' and at > now() - interval '15 minutes'`,
  );

const readBackups = (db: Database) =>
  queryOne<{
    /**
     * The end of the newest good backup, and the time until which every change is in the archive.
     * Null where no service `backup` has run.
     */
    backedUpAt: Date | null;
    archivedAt: Date | null;
    /** The end of the last good backup, if the newest try failed. */
    backupFailingSince: Date | null;
    /** When a part of the archive was lost, and since when trial restores fail. */
    logDroppedSince: Date | null;
    trialFailingSince: Date | null;
  }>(
    db,
    `select coalesce(backup.covers_until, backup.since) as backed_up_at,
       case
         -- Nothing changes while Postgres is down.
         when archive.name is not null
         then greatest(archive.covers_until, backup.since, pg_postmaster_start_time())
       end as archived_at,
       case
         when backup.failure is not null and backup.retry_at is not null
         then coalesce(backup.covers_until, backup.since)
       end as backup_failing_since,
       case when archive.failure is not null then archive.since end as log_dropped_since,
       case when trial.failure is not null then trial.since end as trial_failing_since
     from (select) always
       left join tasks backup on backup.name = 'backup' and backup.seen_at is not null
       left join tasks archive on archive.name = 'archive' and backup.name is not null
       left join tasks trial on trial.name = 'trial-restore' and backup.name is not null`,
  );

const readNotices = (db: Database) =>
  queryOne<{
    /** Start of the time in which no email to the owner was sent, although one is due. */
    mailFailingSince: Date | null;
    /** Start of a recorded outage whose end was not reported. */
    outageReportedSince: Date | null;
  }>(
    db,
    `select (
         select min(noticed_at) from notices
         where channel = 'mail' and attempts > 0
           and noticed_at between sync_now() - interval '7 days' and sync_now() - interval '1 hour'
           and noticed_at > coalesce(
             (select max(sent_at) from notices where channel = 'mail'),
             '-infinity'
           )
       ) as mail_failing_since,
       (
         select since from notices where channel = 'webhook' and what = 'outage'
       ) as outage_reported_since`,
  );
