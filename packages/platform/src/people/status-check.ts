import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { recordSubscribers } from './subscribers.ts';
import type { Told } from './subscribers.ts';

/*
 * Checks of people's status at Beehiiv. A check stays due until its answer is stored (rule 2.17),
 * and one check answers every event before its request. Before: an event of Beehiiv, or a status
 * that may soon change. Next: `subscribers/status-refresh.ts` in the worker looks the person up.
 */

/** Longer than any request. A check without an answer is free again after it. */
const LEASE_SECONDS = 45;

/** A claimed check. Only an answer asked for at `askedAt` ends it. */
export type DueCheck = { emailNormalised: string; askedAt: Date };

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
     where email_normalised = lower(:email)
     returning email_normalised`,
    { email },
    'record event',
  );
  return found.length > 0;
}

const DUE = `check_due_at <= sync_now()
  and coalesce(check_asked_at < sync_now() - interval '${LEASE_SECONDS} seconds', true)`;

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
    `update people set check_asked_at = date_trunc('milliseconds', sync_now())
     where email_normalised = coalesce((
       select email_normalised from people
       where ${DUE} and (live_subscriptions > 0 or free_with_subscription is not null)
       order by check_due_at
       limit 1
       for no key update skip locked
     ), (
       select email_normalised from people
       where ${DUE}
       order by check_due_at
       limit 1
       for no key update skip locked
     ))
     returning email_normalised, check_asked_at as asked_at`,
  );
  return due ?? null;
}

/**
 * Stores a check's answer, and ends the check unless an event has arrived since its request. An
 * absent payer does not receive from then on, unless their tier is still being set. A premium
 * person with another tier, or back at Beehiiv, is set to premium again. A refused request has no
 * news. A status that may soon change is checked again when it is twice as old, for two days. After
 * an event, an unchanged status is checked again once after five minutes.
 */
export async function recordCheck(
  db: Database,
  { emailNormalised: email, askedAt }: DueCheck,
  found: Pick<Told, 'id' | 'status' | 'tier'> | 'absent' | 'refused',
): Promise<void> {
  const tier = typeof found === 'string' ? null : (found.tier ?? null);
  await db.transaction(async (trx) => {
    if (found === 'absent') await recordAbsence(trx, email, askedAt);
    else if (found !== 'refused') await recordSubscribers(trx, [{ email, ...found, at: askedAt }]);
    await query(
      trx,
      `update people set
         check_asked_at = nullif(check_asked_at, :askedAt),
         check_due_at = case
           when check_asked_at is distinct from :askedAt or check_due_at > :askedAt
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
         end,
         tier_version = case
           when :isThere and learned_at = :askedAt
             and tier = 'premium' and tier_confirmed_version = tier_version
             and (
               not_receiving_since is not null
               -- Beehiiv's answer may be a moment older than the tier.
               or (:tier <> 'premium'
                 and tier_confirmed_at < :askedAt::timestamptz - interval '1 minute')
             )
             then tier_version + 1
           else tier_version
         end
       where email_normalised = :email`,
      { email, askedAt, tier, isThere: typeof found !== 'string' },
    );
  });
}

/** Records that Beehiiv does not know an email, unless a newer answer is known. */
async function recordAbsence(trx: Database, email: string, askedAt: Date): Promise<void> {
  await query(
    trx,
    `with locked as materialized (
       -- Leads are locked before people (rule 5.9).
       select id from leads
       where email_normalised = :email and beehiiv_status = 'sent'
       order by id
       for no key update
     ), absent as (
       update people set
         subscriber_id = null,
         status = null,
         status_since = case when status is null then status_since else :askedAt end,
         learned_at = :askedAt,
         not_receiving_since = case
           when tier = 'premium' and tier_confirmed_version = tier_version
             then coalesce(not_receiving_since, :askedAt)
           else not_receiving_since
         end
       where email_normalised = :email and coalesce(learned_at <= :askedAt, true)
         and (select count(*) from locked) >= 0
       returning email_normalised
     )
     update leads set subscriber_status = null
     from absent
     where leads.email_normalised = absent.email_normalised
       and beehiiv_status = 'sent' and subscriber_status is not null`,
    { email, askedAt },
  );
}
