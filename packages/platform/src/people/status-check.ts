import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { recordSubscribers } from './subscribers.ts';
import type { Told } from './subscribers.ts';

/*
 * Checks of people's status at Beehiiv. A check stays due until its answer is stored (rule 2.17),
 * and one check answers every event before its request. Before: an event of Beehiiv, or a status
 * that may soon change. Next: `subscribers/status-refresh.ts` in the worker looks the person up.
 */

/**
 * A claimed check. Only its own answer ends it: `claim` is `askedAt` in microseconds, which tell it
 * from an event of the same millisecond.
 */
export type DueCheck = { emailNormalised: string; askedAt: Date; claim: string };

/**
 * Records that Beehiiv has sent an event, and makes the person's check due now. A check that waits
 * keeps its place. Returns false if nobody has the email. Null: the event asks for no check.
 */
export async function recordEvent(db: Database, email: string | null): Promise<boolean> {
  const found = await query(
    db,
    `with noted as (
       update tasks set seen_at = sync_now()
       -- One write a second, because a flood of events would wait for this row.
       where name = 'beehiiv-events' and coalesce(seen_at < sync_now() - interval '1 second', true)
     )
     update people set
       heard_at = sync_now(),
       check_due_at = case
         when check_due_at <= sync_now() and check_asked_at is null then check_due_at
         else sync_now()
       end
     where email_normalised = normalised_email(:email)
     returning email_normalised`,
    { email },
    'record event',
  );
  return found.length > 0;
}

/** A check without an answer is free again after longer than any request. */
const DUE = `check_due_at <= sync_now()
  and coalesce(check_asked_at < sync_now() - interval '45 seconds', true)`;

/** Returns true if a check is due and the sync is not paused by a setting. */
export async function isCheckDue(db: Database): Promise<boolean> {
  const { isDue } = await queryOne<{ isDue: boolean }>(
    db,
    `select not is_paused_by_setting and exists (select from people where ${DUE}) as is_due
     from sync_health`,
  );
  return isDue;
}

/**
 * Claims the check that has been due longest, of payers and their readers first. Returns null if
 * none is due.
 */
export async function claimDueCheck(db: Database): Promise<DueCheck | null> {
  const [due] = await query<DueCheck>(
    db,
    `update people set check_asked_at = sync_now()
     where email_normalised = (
       select email_normalised from people
       where ${DUE}
       order by entitled_by is null, check_due_at
       limit 1
       for no key update skip locked
     )
     returning email_normalised, date_trunc('milliseconds', check_asked_at) as asked_at,
       check_asked_at::text as claim`,
  );
  return due ?? null;
}

/**
 * Stores a check's answer, and ends the check unless an event has arrived since its request. A
 * status that may soon change is checked again when it is twice as old, for two days. After an
 * event, an unchanged status is checked again once after five minutes.
 */
export async function recordCheck(
  db: Database,
  { emailNormalised: email, askedAt, claim }: DueCheck,
  found: Pick<Told, 'id' | 'status' | 'tier'>,
): Promise<void> {
  await db.transaction(async (trx) => {
    await recordSubscribers(trx, [{ email, ...found, at: askedAt }]);
    await query(
      trx,
      `update people set
         check_asked_at = nullif(check_asked_at, :claim::timestamptz),
         check_due_at = case
           when check_asked_at is distinct from :claim::timestamptz
             or check_due_at > :claim::timestamptz
             then check_due_at
           else least(
             case when may_soon_change(status) and status_since > sync_now() - interval '2 days'
               then sync_now() + greatest(interval '5 minutes', sync_now() - status_since)
             end,
             case when status_since is distinct from :askedAt
               and heard_at > :askedAt::timestamptz - interval '5 minutes'
               then :askedAt::timestamptz + interval '5 minutes'
             end
           )
         end
       where email_normalised = :email`,
      { email, askedAt, claim },
    );
    await recordTierThere(trx, { email, askedAt, tier: found.tier ?? null });
  });
}

/**
 * Compares the newest answer with a confirmed premium tier. An absent person does not receive from
 * then on. Somebody who is back, or has another tier at Beehiiv, is set to premium again.
 */
async function recordTierThere(
  trx: Database,
  answer: { email: string; askedAt: Date; tier: string | null },
): Promise<void> {
  await query(
    trx,
    `update people set
       not_receiving_since = case
         when status is null then coalesce(not_receiving_since, :askedAt)
         else not_receiving_since
       end,
       tier_version = tier_version + (status is not null)::int
     where email_normalised = :email and learned_at = :askedAt
       and coalesce(tier_confirmed_at < :askedAt, true)
       and tier = 'premium' and tier_confirmed_version = tier_version
       and (status is null or not_receiving_since is not null or :tier <> 'premium')`,
    answer,
  );
}
