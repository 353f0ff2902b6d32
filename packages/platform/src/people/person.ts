import { normaliseEmail } from '@site/schema/email';
import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';

/*
 * A person's row in `people`, which is also their lock: whoever changes something of a person locks
 * the row first (rule 5.9). Only the schema's functions `lock_person` and `refresh_person` insert
 * and delete rows. Refresh people after each change of a lead, a subscription or free access, in
 * its transaction. A new lead may wait until after its commit. `subscribers.ts` writes Beehiiv's
 * answers.
 */

/**
 * Locks people until the transaction ends, and returns their emails as the database compares them.
 * Call it before changing any row of theirs.
 */
export async function lockPeople(trx: Database, emails: (string | null)[]): Promise<string[]> {
  const { locked } = await queryOne<{ locked: string[] }>(
    trx,
    'select lock_person(:emails::text[]) as locked',
    { emails },
    'lock people',
  );
  return locked;
}

/**
 * Locks the people that `find` names, as `lockPeople` does. If it names others once they are
 * locked, releases all and locks them together, in their order.
 */
export async function lockFound<Found>(
  trx: Database,
  find: (db: Database) => Promise<{ found: Found; emails: (string | null)[] }>,
): Promise<{ found: Found; locked: string[] }> {
  for (let { emails } = await find(trx); ;) {
    const attempt = await trx.transaction();
    const locked = await lockPeople(attempt, emails);
    const now = await find(attempt);
    const needed = now.emails.flatMap((email) => (email === null ? [] : [normaliseEmail(email)]));
    if (needed.every((email) => locked.includes(email))) {
      await attempt.commit();
      return { found: now.found, locked };
    }
    await attempt.rollback();
    emails = [...emails, ...now.emails];
  }
}

/** The most people that one transaction locks, so that nobody waits long. */
export const MAX_LOCKED = 500;

/** Locks the people of these leads, and returns their emails. */
export async function lockPeopleOf(trx: Database, leadIds: string[]): Promise<string[]> {
  const { locked } = await lockFound(trx, async (db) => {
    const emails = await db('leads').whereIn('id', leadIds).pluck<string[]>('email_normalised');
    return { found: null, emails };
  });
  return locked;
}

/** Updates a person's row after a change of their leads, subscriptions or free access. */
export async function refreshPerson(db: Database, email: string): Promise<void> {
  await query(db, 'select refresh_person(normalised_email(:email))', { email });
}

/** Refreshes locked people. */
export async function refreshPeople(trx: Database, emails: string[]): Promise<void> {
  await query(
    trx,
    'select refresh_person(normalised_email(email)) from unnest(:emails::text[]) email',
    { emails },
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
