import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { ADDRESS_IS_FREE } from './address-lease.ts';

/*
 * Pending leads: which are due, in which order, when the next one will be, and how many there are.
 * Before: `captureLead` in the API stores a lead as pending. Next: `claim.ts` takes the most urgent one that is due.
 */

// Asked once, and first: during a pause or an outage, no waiting lead is read.
const IS_PENDING = `leads.beehiiv_status = 'pending' and (select not is_blocked from sync_health)`;
/** Its time has come. */
const IS_TIMED = `${IS_PENDING} and next_attempt_at <= sync_now()`;
/** It waited for the end of an outage or a refusal pause, which has come. */
const HAS_WAITED = `${IS_PENDING} and (select not is_failing from sync_health) and next_attempt_at is null`;

/**
 * The lists of due leads, for rows of `leads`. Each can be read in the order of an index, so that its
 * first lead is found at once, however many wait.
 */
const LISTS = {
  /** Leads of payers, and those that an operator retried one at a time. Never many. */
  first: `urgency = 'first' and (${IS_TIMED} or ${HAS_WAITED})`,
  new: `urgency = 'new' and ${IS_TIMED}`,
  retry: `urgency = 'retry' and ${IS_TIMED}`,
  waited: HAS_WAITED,
};

/** The order in which the lists are read: one claim in a few begins with the leads that were tried before. */
export const listsInOrder = (prefersRetries: boolean): string[] =>
  prefersRetries
    ? [LISTS.retry, LISTS.waited, LISTS.first, LISTS.new]
    : [LISTS.first, LISTS.new, LISTS.retry, LISTS.waited];

/** The due leads, up to `limit` of each kind, those that have been due longest first. */
const selectDue = (columns: string, where: string, limit: string) =>
  [IS_TIMED, HAS_WAITED]
    .map(
      (isDue) =>
        `(select ${columns} from leads where ${isDue} ${where} order by next_attempt_at limit ${limit})`,
    )
    .join(' union all ');
const AT_FREE_ADDRESS = `and ${ADDRESS_IS_FREE}`;

/** True if a lead is due, whether or not its address is free. */
export const IS_ANY_DUE = `exists (${selectDue('', '', '1')})`;

/** When the claimable lead that has been due longest fell due, or null. */
export const DUE_SINCE = `(select min(due_since) from (${selectDue(
  'coalesce(next_attempt_at, round_started_at) as due_since',
  AT_FREE_ADDRESS,
  '1',
)}) due_leads)`;

/** Counts the leads that a run could claim now, up to `limit`. */
export async function countDueLeads(db: Database, limit: number): Promise<number> {
  const { due } = await queryOne<{ due: number }>(
    db,
    `select count(*) as due from (select from (${selectDue('', AT_FREE_ADDRESS, ':limit')}) due_leads limit :limit) counted`,
    { limit },
  );
  return due;
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
export async function readBacklog(
  db: Database,
): Promise<{ pending: number; oldestPendingAt: Date | null }> {
  return queryOne(
    db,
    `select (select coalesce(sum(leads), 0)::bigint from lead_counts where beehiiv_status = 'pending') as pending,
       (select min(since) from (
          select case when sync_round = 1 then submitted_at else round_started_at end as since
          from leads where beehiiv_status = 'pending' order by submitted_at, id limit ${OLDEST_READ}
        ) oldest) as oldest_pending_at`,
  );
}
