import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';

/** Counts the leads that failed in the last hour, without those in quarantine or corrected since. */
export async function readFailed(db: Database): Promise<{ count: number; since: Date | null }> {
  return queryOne(
    db,
    `select count(distinct leads.id)::int as count, min(started_at) as since
     from lead_sync_attempts attempt join leads on leads.id = lead_id
     where started_at > sync_now() - interval '1 hour' and class <> 'accepted' and kind in ('push', 'probe')
       and beehiiv_status = 'failed' and quarantine_reason is null and ${IS_NOT_CORRECTED}`,
  );
}

/** Reads the sync's clock, which is the database's. */
export async function readSyncTime(db: Database): Promise<Date> {
  return (await queryOne<{ now: Date }>(db, 'select sync_now() as now')).now;
}
