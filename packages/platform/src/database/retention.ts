import type { Database } from './connect.ts';

/** Nulls address and user agent of at most `limit` leads older than `days`; returns how many there were. */
export async function clearNetworkData(db: Database, days: number, limit: number): Promise<number> {
  const { rows } = await db.raw(
    `update leads set ip_address = null, user_agent = null where id in (
       select id from leads where (ip_address is not null or user_agent is not null)
         and submitted_at < sync_now() - make_interval(days => :days)
       order by submitted_at limit :limit for update skip locked
     ) returning id`,
    { days, limit },
  );
  return rows.length;
}

/** Removes at most `limit` repeat keys that have ended; returns how many there were. */
export async function deleteEndedRepeats(db: Database, limit: number): Promise<number> {
  const { rows } = await db.raw(
    `delete from lead_repeats where (email_normalised, scope) in (
       select email_normalised, scope from lead_repeats where until < sync_now() order by until limit :limit for update skip locked
     ) returning scope`,
    { limit },
  );
  return rows.length;
}
