import type { Database } from '@site/platform/database/connect';
import { MAX_FIRST_LEADS } from '@site/schema/calls/set-up';
import { queryOne } from '@site/platform/database/query';

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
       requests_per_minute as allowed, finished_at as compared_at,
       (select count(*) from (select from leads limit :most::int + 1) first) <= :most as is_first_run
     from rate_limiter, tasks where name = 'comparison'`,
    { most: MAX_FIRST_LEADS },
  );
  return { rate, statusesAsOf: comparedAt, isFirstRun };
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
