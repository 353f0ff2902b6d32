import type { Database } from '../database/connect.ts';

/** Runs `work` of this name for one caller at a time over all processes; the others get null at once. */
export async function asOnlyOne<T>(db: Database, name: string, work: (trx: Database) => Promise<T>): Promise<T | null> {
  return db.transaction(async (trx) => {
    const { rows } = await trx.raw('select pg_try_advisory_xact_lock(hashtext(?)) as is_ours', [name]);
    return rows[0].isOurs ? work(trx) : null;
  });
}

/** The oldest leads that are due and unclaimed, at most `limit`. Reads the partial index on due times only. */
export async function findDueLeads(db: Database, limit: number): Promise<string[]> {
  return db('leads')
    .where({ beehiivStatus: 'pending' })
    .whereRaw('next_attempt_at <= sync_now() and (claimed_until is null or claimed_until <= sync_now())')
    .orderBy('nextAttemptAt')
    .limit(limit)
    .pluck('id');
}

/** Milliseconds until the next pending lead falls due, or null when none waits for a later time. */
export async function readMsUntilNextDue(db: Database): Promise<number | null> {
  const { rows } = await db.raw(
    `select extract(epoch from min(next_attempt_at) - sync_now()) * 1000 as ms
     from leads where beehiiv_status = 'pending' and next_attempt_at > sync_now()`,
  );
  return rows[0].ms === null ? null : Math.max(0, Number(rows[0].ms));
}

/** How many leads wait, and since when the oldest of them does. */
export async function readBacklog(db: Database): Promise<{ pending: number; oldestPendingAt: Date | null }> {
  const { rows } = await db.raw(
    `select (select coalesce(sum(leads), 0)::bigint from lead_counts where beehiiv_status = 'pending') as pending,
       (select submitted_at from leads where beehiiv_status = 'pending' order by submitted_at, id limit 1) as oldest_pending_at`,
  );
  return rows[0];
}

/** The time by which everything about the sync is measured. */
export async function readSyncTime(db: Database): Promise<Date> {
  const { rows } = await db.raw('select sync_now() as now');
  return rows[0].now;
}
