import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { CHANGES_KEPT_MS } from '@site/platform/live-changes';

/** Clears IP address and user agent of at most `limit` leads older than `days`. Returns how many. */
export async function clearNetworkData(db: Database, days: number, limit: number): Promise<number> {
  const cleared = await query(
    db,
    `update leads set ip_address = null, user_agent = null where id in (
       select id from leads where (ip_address is not null or user_agent is not null)
         and submitted_at < sync_now() - make_interval(days => :days)
       order by submitted_at limit :limit for update skip locked
     ) returning id`,
    { days, limit },
  );
  return cleared.length;
}

/** Deletes at most `limit` repeat keys that have ended. Returns how many. */
export async function deleteEndedRepeats(db: Database, limit: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from lead_repeats where (email_normalised, scope) in (
       select email_normalised, scope from lead_repeats where until < sync_now() order by until limit :limit for update skip locked
     ) returning scope`,
    { limit },
  );
  return deleted.length;
}

/** Deletes at most `limit` changes that are too old for any console to ask for. Returns how many. */
export async function deleteOldChanges(db: Database, limit: number): Promise<number> {
  const deleted = await query(
    db,
    `delete from lead_changes where id in (
       select id from lead_changes where at < clock_timestamp() - make_interval(secs => :kept)
       order by at limit :limit for update skip locked
     ) returning id`,
    { kept: CHANGES_KEPT_MS / 1_000, limit },
  );
  return deleted.length;
}
