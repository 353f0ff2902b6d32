import type { Database } from '@site/platform/database/connect';

export type Pace = { lastMinute: number; allowed: number | null };

/** Runs of the last minute, and the rate that the workers keep to. */
export async function readRate(db: Database): Promise<Pace> {
  const { rows } = await db.raw(
    `select (select count(*) from lead_sync_attempts where started_at > sync_now() - interval '1 minute') as last_minute,
       requests_per_minute as allowed from rate_limiter`,
  );
  return rows[0];
}

/** The newest attempt of the last day that was not accepted. */
export async function findLastError(db: Database): Promise<{ at: Date; leadId: string; message: string } | undefined> {
  const { rows } = await db.raw(
    `select started_at as at, lead_id, coalesce(message, class) as message from lead_sync_attempts
     where started_at > sync_now() - interval '24 hours' and class is not null and class <> 'accepted'
     order by started_at desc limit 1`,
  );
  return rows[0];
}

/** Leads that are still failed since the refusals in a row that last paused the sync. */
export async function countFailedInRefusalPause(db: Database): Promise<number> {
  const { rows } = await db.raw(
    `select count(distinct lead_id) as count from lead_sync_attempts attempt
       join sync_health health on attempt.started_at >= health.refusals_from - interval '1 minute'
         and attempt.started_at <= coalesce(health.refusals_to, 'infinity')
       join leads on leads.id = attempt.lead_id and leads.beehiiv_status = 'failed'
     where attempt.class = 'permanent'`,
  );
  return rows[0].count;
}
