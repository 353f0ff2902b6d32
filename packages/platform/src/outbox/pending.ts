import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { IS_BLOCKED, IS_FAILING } from '../sync-health.ts';
import { ADDRESS_IS_FREE } from './address-lease.ts';

/*
 * Pending leads: which are due, when the next one will be, and how many there are.
 * Before: `captureLead` in the API stores a lead as pending. Next: the worker's sweep queues those that are due.
 */

/**
 * True for rows of `leads` and `sync_health` if the lead is pending and its next attempt may start. A lead without a time
 * waits until the newsletter accepts additions again.
 */
export const IS_DUE = `
  beehiiv_status = 'pending' and not ${IS_BLOCKED}
  and (next_attempt_at <= sync_now() or (next_attempt_at is null and not ${IS_FAILING}))`;

/** Finds the leads that have been due longest and whose address is free; last those that waited through an outage. */
export async function findDueLeads(db: Database, limit: number): Promise<string[]> {
  return db('leads')
    .join('sync_health', db.raw('true'))
    .whereRaw(IS_DUE)
    .whereRaw(ADDRESS_IS_FREE)
    .orderBy('nextAttemptAt')
    .limit(limit)
    .pluck('leads.id');
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
          select case when sync_round = 1 then submitted_at else round_started_at end as since
          from leads where beehiiv_status = 'pending' order by submitted_at, id limit ${OLDEST_READ}
        ) oldest) as oldest_pending_at`,
  );
}
