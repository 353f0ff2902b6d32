import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/*
 * A person's row in `people`. Only the schema's function `refresh_person` inserts and deletes rows.
 * Call it after each change of a lead, a subscription or free access, in its transaction. A new
 * lead may wait until after its commit. `subscribers.ts` writes Beehiiv's answers.
 */

/** Updates a person's row after a change of their leads, subscriptions or free access. */
export async function refreshPerson(db: Database, email: string): Promise<void> {
  await query(db, 'select refresh_person(normalised_email(:email))', { email });
}

// The order of locks (rule 5.9). A transaction that changes people first locks every lead of their
// emails, by email and id as the database sorts them. Then it locks the people in the same order,
// so `refresh_person` never waits for a lead.

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
 * Lets one transaction at a time delete leads. Call it before taking any other lock, because two
 * deletions would wait for each other's leads and people.
 */
export async function lockDeletion(trx: Database): Promise<void> {
  await query(trx, `select pg_advisory_xact_lock(hashtext('delete leads'))`);
}

/** Refreshes several people in the order of every other transaction. */
export async function refreshPeople(trx: Database, emails: string[]): Promise<void> {
  await query(
    trx,
    `select refresh_person(email_normalised) from (
       select distinct normalised_email(email) as email_normalised
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
 * the number of people. The nightly comparison refreshes the rest.
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
    // One transaction each, so that it holds one lock at a time.
    for (const { emailNormalised } of missing) await refreshPerson(db, emailNormalised);
    found = missing.length;
    refreshed += found;
  }
  return refreshed;
}
