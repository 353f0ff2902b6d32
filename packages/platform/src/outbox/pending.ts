import type { Database } from '../database/connect.ts';
import { ADDRESS_IS_FREE } from './address-lease.ts';

/** The oldest leads that are due, unclaimed and of a free address, at most `limit`. Reads the partial index on due times only. */
export async function findDueLeads(db: Database, limit: number): Promise<string[]> {
  return db('leads')
    .where({ beehiivStatus: 'pending' })
    .whereRaw('next_attempt_at <= sync_now() and (claimed_until is null or claimed_until <= sync_now())')
    .whereRaw(ADDRESS_IS_FREE)
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

/** Of so many, the oldest, it is asked since when they wait: those tried again are old, and are few at a time. */
const OLDEST_ASKED = 1_000;

/** How many leads wait, and since when the oldest of them does: since it came, or since it was tried again. */
export async function readBacklog(db: Database): Promise<{ pending: number; oldestPendingAt: Date | null }> {
  const { rows } = await db.raw(
    `select (select coalesce(sum(leads), 0)::bigint from lead_counts where beehiiv_status = 'pending') as pending,
       (select min(since) from (
          select case when sync_round = 1 then submitted_at
            else least(coalesce(round_started_at, next_attempt_at), sync_now()) end as since
          from leads where beehiiv_status = 'pending' order by submitted_at, id limit ${OLDEST_ASKED}
        ) oldest) as oldest_pending_at`,
  );
  return rows[0];
}
