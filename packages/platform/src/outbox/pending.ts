import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { ADDRESS_IS_FREE } from './address-lease.ts';

/*
 * Pending leads: which are due, when the next one will be, and how many there are.
 * Before: `captureLead` in the API stores a lead as pending. Next: the worker's sweep queues those that are due.
 */

/** Finds the oldest leads that are due, unclaimed and whose address is free. Reads only the partial index on due times. */
export async function findDueLeads(db: Database, limit: number): Promise<string[]> {
  return db('leads')
    .where({ beehiivStatus: 'pending' })
    .whereRaw('next_attempt_at <= sync_now() and (claimed_until is null or claimed_until <= sync_now())')
    .whereRaw(ADDRESS_IS_FREE)
    .orderBy('nextAttemptAt')
    .limit(limit)
    .pluck('id');
}

/** Milliseconds until the next pending lead falls due. Returns null if none waits for a later time. */
export async function readMsUntilNextDue(db: Database): Promise<number | null> {
  const [row] = await query<{ ms: number }>(
    db,
    `select (extract(epoch from next_attempt_at - sync_now()) * 1000)::float8 as ms
     from leads where beehiiv_status = 'pending' and next_attempt_at > sync_now() order by next_attempt_at limit 1`,
  );
  return row ? Math.max(0, row.ms) : null;
}

/** The oldest lead is found among this many: retried leads are old, and few at a time. */
const OLDEST_READ = 1_000;

/** Counts pending leads, and finds the time since which the oldest has been waiting: its submission, or its retry. */
export async function readBacklog(db: Database): Promise<{ pending: number; oldestPendingAt: Date | null }> {
  return queryOne(
    db,
    `select (select coalesce(sum(leads), 0)::bigint from lead_counts where beehiiv_status = 'pending') as pending,
       (select min(since) from (
          select case when sync_round = 1 then submitted_at
            else least(coalesce(round_started_at, next_attempt_at), sync_now()) end as since
          from leads where beehiiv_status = 'pending' order by submitted_at, id limit ${OLDEST_READ}
        ) oldest) as oldest_pending_at`,
  );
}
