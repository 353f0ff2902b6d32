import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';

/*
 * Beehiiv's status of each person. The function `record_subscriber` writes it, called from here and
 * from `record_outcome`. Sent leads have a copy of the status for the console's filters. Before:
 * every run with an answer from Beehiiv. Next: `claim.ts`, which reads the status, and the
 * comparison.
 */

/** Instead of a status: Beehiiv does not know the email. It is stored as no status. */
export const ABSENT = 'absent';

/**
 * Beehiiv's answer about an email. A missing time means now, on the database's clock. A missing
 * status means no news. `wasAdded`: a premium tier must be set again.
 */
export type Told = {
  email: string;
  id: string | null;
  status: string | null;
  tier?: string | null | undefined;
  at?: Date | string;
  wasAdded?: boolean;
};

/**
 * Records Beehiiv's answers about people. Newer answers stay, even on the leads. A page of
 * Beehiiv's list also records tiers, and skips people without a row. Returns the number with a row.
 */
export async function recordSubscribers(
  db: Database,
  told: Told[],
  { isPage = false } = {},
): Promise<number> {
  const { known } = await queryOne<{ known: number }>(
    db,
    'select record_subscribers(:told, :isPage) as known',
    {
      told: JSON.stringify(
        told.map(({ wasAdded = false, ...each }) => ({ ...each, was_added: wasAdded })),
      ),
      isPage,
    },
    'record subscribers',
  );
  return known;
}

/**
 * Records that Beehiiv has sent an event, and makes the person's check due now. A check that waits
 * keeps its place. Returns false if nobody has the email. Null: the event asks for no check.
 */
export async function recordBeehiivEvent(db: Database, email: string | null): Promise<void> {
  await query(
    db,
    `with noted as (
       update tasks set seen_at = sync_now()
       -- One write a second, because a flood of events would wait for this row.
       where name = 'beehiiv-events' and coalesce(seen_at < sync_now() - interval '1 second', true)
     )
     update people set
       heard_at = sync_now(),
       check_due_at = least(check_due_at, sync_now())
     where email_normalised = normalised_email(:email)`,
    { email },
    'record event',
  );
}

/** Records whether our unsubscription of an email must still be undone. */
export async function recordUndoing(
  db: Database,
  emailNormalised: string,
  isDue: boolean,
): Promise<void> {
  await db('people').where({ emailNormalised }).update({ mustActivate: isDue });
}

/**
 * Records that Beehiiv is asked to confirm the consent of somebody who unsubscribed: older consents
 * no longer count, and only they or a payment activate them. A request without effect leaves them
 * as unsubscribed since `leftBefore`.
 */
export async function recordReturn(
  db: Database,
  emailNormalised: string,
  leftBefore: Date | 'asked',
): Promise<void> {
  const isAsked = leftBefore === 'asked';
  await db('people')
    .where({ emailNormalised, status: 'inactive' })
    .update({ statusSince: isAsked ? db.raw('sync_now()') : leftBefore, mustConfirm: isAsked });
}
