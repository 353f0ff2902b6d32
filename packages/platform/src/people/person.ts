import { normaliseEmail } from '@site/schema/email';
import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';

/*
 * A person's row in `people`, which is also their lock: a transaction that changes a person locks
 * the row first (rule 5.9). Only the schema's functions `lock_person` and `judge_person` insert and
 * delete rows. Triggers judge a person at the commit of each change (`judgement.sql`). `judgeDue`
 * judges new people, and people whose judgement ends with time. `subscribers.ts` writes Beehiiv's
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
    // Postgres may not know the newest letters, so JavaScript's lower case alone decides nothing.
    const isLocked = (email: string | null) =>
      email === null || emails.includes(email) || locked.includes(normaliseEmail(email));
    if (now.emails.every(isLocked)) {
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

/** Judges people now, not only when the transaction commits. */
export async function judgePeople(trx: Database, emails: string[]): Promise<void> {
  await query(
    trx,
    'select judge_person(normalised_email(email)) from unnest(:emails::text[]) email',
    { emails },
  );
}

/** People of the new leads, the newest first, then people whom time or a comparison changes. */
const DUE = `
  select distinct email_normalised from (
    select email_normalised from leads
    where submitted_at > now() - make_interval(secs => :seconds) and not exists (
      select from people
      where people.email_normalised = leads.email_normalised and seen_at >= submitted_at
    )
    order by submitted_at desc
    limit :most
  ) fresh
  union all (
    select email_normalised from people
    where judge_again_at <= sync_now()
    order by judge_again_at
    limit :most
  )
  union all (
    select email_normalised from differences
    where kind = 'pays-not-active' and not is_judged
    limit :most
  )
  union all (
    select email_normalised from people
    where difference_id is not null and not exists (
      select from differences where id = difference_id
    )
    limit :most
  )`;

const MOST_DUE = 500;
const MINUTE_SECONDS = 60;

/**
 * Returns the sweep that judges everybody who is due, and the people of the last minute's leads,
 * each minute of the last hour's, and at first of the last day's, because clocks may differ and a
 * turn may fail. Returns their number. The nightly comparison judges people that the sweep missed
 * for longer.
 */
export function createJudge(db: Database): (signal: AbortSignal) => Promise<number> {
  let lookedFarAt: number | null = null;
  return async (signal) => {
    const now = performance.now();
    const isFar = lookedFarAt === null || now - lookedFarAt > MINUTE_SECONDS * 1_000;
    const hours = lookedFarAt === null ? 24 : 1;
    const seconds = isFar ? hours * 3_600 : MINUTE_SECONDS;
    let judged = 0;
    const errors: unknown[] = [];
    for (let isMore = true; isMore && !signal.aborted;) {
      const due = await query<{ emailNormalised: string }>(
        db,
        DUE,
        { seconds, most: MOST_DUE },
        'judge-due',
      );
      // One transaction each, so that it holds one lock at a time. A failure delays nobody else.
      for (const { emailNormalised } of due)
        await judgePeople(db, [emailNormalised]).catch((error: unknown) => errors.push(error));
      judged += due.length;
      isMore = due.length >= MOST_DUE && errors.length === 0;
    }
    if (errors.length > 0) throw new AggregateError(errors, 'not everybody was judged');
    if (isFar) lookedFarAt = now;
    // The lists of people were announced with the lead, before its person was judged.
    if (judged > 0) await db('live_changes').insert({ what: 'leads' });
    return judged;
  };
}
