import type { Database } from './connect.ts';

/** Nulls address and user agent of at most `limit` leads older than `days`; returns how many there were. */
export async function forgetNetworkData(db: Database, days: number, limit: number): Promise<number> {
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
export async function forgetEndedRepeats(db: Database, limit: number): Promise<number> {
  const { rows } = await db.raw(
    `delete from lead_repeats where (email_normalised, scope) in (
       select email_normalised, scope from lead_repeats where until < sync_now() order by until limit :limit for update skip locked
     ) returning scope`,
    { limit },
  );
  return rows.length;
}

const EMPTY_TALLIES = (rows: string) => `
  select ctid as place, shard from (
    select ctid, shard, sum(leads) over (
      partition by day, form_type, source_digest, beehiiv_status, subscriber_status
    ) as total from lead_tallies where ${rows}
  ) of_groups where total = 0`;

/**
 * Removes what adds up to nothing in the rollup of sources: an erasure takes a source off in its own shard, and leaves
 * it in those that others were writing in just then. Those are passed over here as well, until the next time.
 */
export async function forgetEmptyTallies(db: Database): Promise<void> {
  await db.transaction(async (trx) => {
    const { rows } = await trx.raw(
      `select array_agg(shard) as ours from (select distinct shard from (${EMPTY_TALLIES('true')}) empty) there
       where pg_try_advisory_xact_lock(hashtext('lead_counts'), shard)`,
    );
    const { ours } = rows[0];
    if (ours === null) return;
    // A statement of its own sees what was committed until the locks were taken.
    await trx.raw(
      `delete from lead_tallies where ctid in (select place from (${EMPTY_TALLIES('shard = any(:ours)')}) empty)`,
      { ours },
    );
  });
}
