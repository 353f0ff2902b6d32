import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/*
 * A person's row in `people`. The function `settle` in the schema writes who they are, and alone
 * inserts and deletes rows. Callers: whatever changes a lead, a subscription or free access, in its
 * transaction, and the API right after a new lead. `subscribers.ts` and `tiers.ts` write the rest.
 */

/** Writes who somebody is, after a change of their leads, subscriptions or free access. */
export async function settlePerson(db: Database, email: string): Promise<void> {
  await query(db, 'select settle(lower(:email))', { email });
}

/** Settles the people of these leads, in one order. */
export async function settlePeopleOf(trx: Database, leadIds: string[]): Promise<void> {
  await query(
    trx,
    `select settle(email_normalised) from (
       select distinct email_normalised from leads where id = any(:leadIds::uuid[]) order by 1
     ) theirs`,
    { leadIds },
  );
}

const MAX_MISSING = 500;

/**
 * Settles people of the last day's leads whose row is missing or older than their lead. Returns how
 * many. The nightly comparison settles the rest.
 */
export async function settleMissing(db: Database, signal: AbortSignal): Promise<number> {
  let settled = 0;
  for (let found = MAX_MISSING; found === MAX_MISSING && !signal.aborted;) {
    const missing = await query<{ emailNormalised: string }>(
      db,
      `select distinct email_normalised from leads
       where submitted_at > sync_now() - interval '1 day' and not exists (
         select from people
         where people.email_normalised = leads.email_normalised and seen_at >= submitted_at)
       limit :limit`,
      { limit: MAX_MISSING },
    );
    // Each in a transaction of its own, so that it holds one lock at a time.
    for (const { emailNormalised } of missing) await settlePerson(db, emailNormalised);
    found = missing.length;
    settled += found;
  }
  return settled;
}
