import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';

/*
 * Pending leads: their order, the next due time, and their number. Before: `captureLead` in the API
 * stores a lead as pending. Next: `claim.ts` takes the most urgent due lead.
 */

/** Counts the leads that a run could claim now, up to `limit`. */
export async function countDueLeads(db: Database, limit: number): Promise<number> {
  const { due } = await queryOne<{ due: number }>(
    db,
    `select count(*) as due from (
       (
         select from free_leads
         where beehiiv_status = 'pending' and next_attempt_at <= sync_now()
           and (select not is_paused_by_setting from sync_health)
         order by next_attempt_at
         limit :limit
       )
       union all
       (
         select from free_leads
         where beehiiv_status = 'pending' and next_attempt_at is null
           and (select not is_paused_by_setting and not waits_for_beehiiv from sync_health)
         order by next_attempt_at
         limit :limit
       )
       limit :limit
     ) due_leads`,
    { limit },
  );
  return due;
}

/** Returns the milliseconds until the next pending lead is due, or null if none has a due time. */
export async function readMsUntilNextDue(db: Database): Promise<number | null> {
  const [row] = await query<{ ms: number }>(
    db,
    `select (extract(epoch from next_attempt_at - sync_now()) * 1000)::float8 as ms
     from leads
     where beehiiv_status = 'pending' and next_attempt_at > sync_now()
     order by next_attempt_at
     limit 1`,
  );
  return row ? Math.max(0, row.ms) : null;
}

/**
 * Counts pending leads, and finds the start of the longest wait: a submission or a retry. A bulk
 * retry's leads may wait for hours, so their wait does not count. Looks only at the thousand oldest
 * leads, because other retried leads are old, and few at a time.
 */
export async function readBacklog(
  db: Database,
): Promise<{ pending: number; oldestPendingAt: Date | null }> {
  return queryOne(
    db,
    `select (
       select coalesce(sum(leads), 0)::bigint
       from lead_counts
       where beehiiv_status = 'pending'
     ) as pending,
       (select min(since) from (
          -- The round of a corrected lead starts at its consent, before it waits.
          select case when sync_round = 1 then submitted_at else greatest(round_started_at, (
              select max(corrected_at) from former_emails where lead_id = leads.id
            )) end as since
          from leads
          where beehiiv_status = 'pending' and urgency <> 'bulk'
          order by submitted_at
          limit 1000
        ) oldest) as oldest_pending_at`,
  );
}
