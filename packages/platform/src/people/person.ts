import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/*
 * A person's row in `people`. The function `refresh_person` in the schema writes who they are, and
 * alone inserts and deletes rows. Callers: whatever changes a lead, a subscription or free access,
 * in its transaction, and the API right after a new lead. `subscribers.ts` writes what Beehiiv
 * says.
 */

/** Writes who somebody is, after a change of their leads, subscriptions or free access. */
export async function refreshPerson(db: Database, email: string): Promise<void> {
  await query(db, 'select refresh_person(lower(:email))', { email });
}

/*
 * The order of locks. A transaction that changes people first locks every lead of their emails, by
 * email and id as the database sorts them, then the people in the same order. `refresh_person` then
 * waits for no lead.
 */

/** Locks every lead of the emails of these leads, until the transaction ends. */
export async function lockLeadsOf(trx: Database, leadIds: string[]): Promise<void> {
  await query(
    trx,
    `select from leads where email_normalised = any(array(
       select email_normalised from leads where id = any(:leadIds::uuid[])
     ))
     order by email_normalised, id for no key update`,
    { leadIds },
  );
}

/**
 * Lets one transaction at a time delete leads. Call it before any other lock: two of them would
 * wait for each other's leads and people.
 */
export async function lockDeletion(trx: Database): Promise<void> {
  await query(trx, `select pg_advisory_xact_lock(hashtext('delete leads'))`);
}

/** Refreshes several people in the order of every other transaction. */
export async function refreshPeople(trx: Database, emails: string[]): Promise<void> {
  await query(
    trx,
    `select refresh_person(email_normalised) from (
       select distinct lower(email) as email_normalised
       from unnest(:emails::text[]) email
       order by 1
     ) ordered`,
    { emails },
  );
}

/** Refreshes the people of these leads, in the same order. */
export async function refreshPeopleOf(trx: Database, leadIds: string[]): Promise<void> {
  await query(
    trx,
    `select refresh_person(email_normalised) from (
       select distinct email_normalised from leads where id = any(:leadIds::uuid[]) order by 1
     ) theirs`,
    { leadIds },
  );
}

const MAX_MISSING = 500;

/**
 * Refreshes people of the last day's leads whose row is missing or older than their lead. Returns
 * how many. The nightly comparison refreshes the rest.
 */
export async function refreshMissing(db: Database, signal: AbortSignal): Promise<number> {
  let refreshed = 0;
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
    for (const { emailNormalised } of missing) await refreshPerson(db, emailNormalised);
    found = missing.length;
    refreshed += found;
  }
  return refreshed;
}
