import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { DELIVERY_DAYS, MAX_OUTAGES } from '@site/schema/calls/sync';
import type { DeliveryAnswer } from '@site/schema/calls/sync';

const DAYS_BEFORE_TODAY = DELIVERY_DAYS - 1;

/**
 * Counts each day's leads by outcome, so that every figure opens its rows in the list. The counters
 * do not separate quarantined leads from failed leads, so an index counts these few.
 */
export async function countDays(
  db: Database,
): Promise<Pick<DeliveryAnswer, 'days' | 'sentToday' | 'failed' | 'total'>> {
  const { days, total } = await queryOne<Pick<DeliveryAnswer, 'days' | 'total'>>(
    db,
    `with counted as (
       select day, sum(leads) as total,
         coalesce(sum(leads) filter (where beehiiv_status = 'sent'), 0) as sent,
         coalesce(sum(leads) filter (where beehiiv_status = 'failed'), 0) as failed
       from lead_counts
       where day >= (sync_now() at time zone 'Europe/London')::date - :days::int
       group by day
     ), quarantined as (
       select (submitted_at at time zone 'Europe/London')::date as day, count(*) as leads
       from leads
       where quarantine_reason is not null and beehiiv_status = 'failed'
         and submitted_at >= london_days_ago(:days)
       group by 1
     )
     select json_agg(
         json_build_object('day', day, 'sent', coalesce(sent, 0), 'failed',
         coalesce(failed, 0) - coalesce(leads, 0))
           order by day
       ) as days, coalesce(sum(total), 0)::int as total
     from (
         select (sync_now() at time zone 'Europe/London')::date - n as day
         from generate_series(0, :days::int) n
       ) shown
       left join counted using (day) left join quarantined using (day)`,
    { days: DAYS_BEFORE_TODAY },
  );
  return {
    days,
    total,
    sentToday: days.at(-1)?.sent ?? 0,
    failed: days.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Reads when the oldest sent lead was sent. Returns null without one. */
export async function readFirstSent(db: Database): Promise<Date | null> {
  const sent = db('leads').where({ beehiivStatus: 'sent' }).orderBy('submittedAt');
  return (await sent.first('beehiivSentAt'))?.beehiivSentAt ?? null;
}

type LastTimes = {
  workerSeenAt: Date;
  lastSentAt: Date | null;
  lastMailAt: Date | null;
  backup: { lastAt: string | null; isElsewhere: boolean; settingsAt: string | null } | null;
  beehiivNews: { lastEventAt: string | null; isRefused: boolean };
};

/**
 * Reads when a worker was last seen, Beehiiv last accepted a lead, the owner was last mailed, the
 * newest backup ended, and Beehiiv last sent an event.
 */
export async function readLastTimes(db: Database): Promise<LastTimes> {
  return queryOne(
    db,
    `select seen_at as worker_seen_at, last_added_at as last_sent_at,
       (select max(sent_at) from notices where channel = 'mail') as last_mail_at,
       (
         select json_build_object(
           'lastAt', iso(covers_until), 'isElsewhere', detail ->> 'place' <> 'posix',
           'settingsAt', (select iso(covers_until) from tasks where name = 'settings-copy')
         )
         from tasks
         where name = 'backup' and seen_at is not null
       ) as backup, (
         select json_build_object('lastEventAt', iso(seen_at), 'isRefused', failure is not null)
         from tasks
         where name = 'beehiiv-events'
       ) as beehiiv_news
     from tasks, sync_health where name = 'worker'`,
  );
}

/** Lists past outages, the newest first. */
export async function listOutages(db: Database): Promise<Row<'outages'>[]> {
  return db<Row<'outages'>>('outages').orderBy('since', 'desc').limit(MAX_OUTAGES);
}

type Pace = {
  lastMinute: number;
  allowed: number | null;
  statusesAsOf: Date | null;
  isFirstRun: boolean;
  refused: number;
};

/**
 * Reads the sync's pace: last minute's attempts, the workers' rate, the last comparison's end, and
 * whether leads are still few. Also counts leads that the last refusal pause left failed.
 */
export const readPace = (db: Database) =>
  queryOne<Pace>(
    db,
    `select (
       select count(*)
       from lead_sync_attempts
       where started_at > sync_now() - interval '1 minute'
     ) as last_minute,
       requests_per_minute as allowed, covers_until as statuses_as_of,
       (
         select count(*)
         from (select from leads limit :most::int + 1) first
       ) <= :most as is_first_run,
       (select count(distinct lead_id) from refused_in_pause
          join leads on leads.id = lead_id and leads.beehiiv_status = 'failed') as refused
     from rate_limiter, tasks where name = 'comparison'`,
    { most: MAX_FIRST_LEADS },
  );

/**
 * Finds the newest attempt of the last day that Beehiiv neither accepted nor refused. A refusal is
 * the lead's own.
 */
export async function findLastError(db: Database): Promise<{ at: Date; message: string } | null> {
  const [newest] = await query<{ at: Date; message: string }>(
    db,
    `select started_at as at, coalesce(message, class) as message from lead_sync_attempts
     where started_at > sync_now() - interval '24 hours' and class <> 'accepted'
       and class <> 'permanent'
     order by started_at desc limit 1`,
  );
  return newest ?? null;
}
