import type { Database } from '@site/platform/database/connect';
import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { query, queryOne } from '@site/platform/database/query';

type Pace = { lastMinute: number; allowed: number | null };

/**
 * Reads the attempts of the last minute, the workers' rate, the start of the last finished
 * comparison, and whether hardly a lead has come.
 */
export async function readPace(db: Database) {
  const { comparedAt, isFirstRun, ...rate } = await queryOne<
    Pace & { comparedAt: Date | null; isFirstRun: boolean }
  >(
    db,
    `select (select count(*) from lead_sync_attempts where started_at > sync_now() - interval '1 minute') as last_minute,
       requests_per_minute as allowed, compared_at,
       (select count(*) from (select from leads limit :most::int + 1) first) <= :most as is_first_run
     from rate_limiter, comparison`,
    { most: MAX_FIRST_LEADS },
  );
  return { rate, statusesAsOf: comparedAt, isFirstRun };
}

type LastError = { at: Date; leadId: string; message: string; reason: string | null };

/** Finds the newest attempt of the last day that Beehiiv neither accepted nor refused: a refusal is the lead's own. */
export async function findLastError(db: Database): Promise<LastError | undefined> {
  const [newest] = await query<LastError>(
    db,
    `select started_at as at, lead_id, coalesce(message, class) as message, reason from lead_sync_attempts
     where started_at > sync_now() - interval '24 hours' and class not in ('accepted', 'permanent')
     order by started_at desc limit 1`,
  );
  return newest;
}

/** Counts the leads that failed in the refusals that last paused the sync, and are still failed. */
export async function countFailedInRefusalPause(db: Database): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `select count(distinct lead_id) as count from refused_in_pause
       join leads on leads.id = lead_id and leads.beehiiv_status = 'failed'`,
  );
  return count;
}

/** Counts the emails with a live subscription and a pending lead, among at most 10,000. */
export async function countPayersWaiting(db: Database): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `select count(*) as count from (
       select distinct email_normalised as address from subscriptions where is_live limit 10000
     ) payers where exists (select from leads where email_normalised = address and beehiiv_status = 'pending')`,
  );
  return count;
}
