import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { settlePerson } from './people.ts';

/*
 * Beehiiv's status of each person, which only this file writes. Sent leads keep a copy of the status,
 * by which the console filters.
 * Before: every run that has an answer of Beehiiv. Next: `claim.ts`, which reads it, and the
 * comparison.
 */

/** Beehiiv's word on an email at a time. Without a time: just now, on the database's clock. */
export type Told = { email: string; id: string | null; status: string; at?: Date | string };

/** Records Beehiiv's answer about a person. */
export async function recordSubscriber(db: Database, told: Told): Promise<void> {
  if ((await recordSubscribers(db, [told])) > 0) return;
  // Their lead was sent before anything settled them.
  await settlePerson(db, told.email);
  await recordSubscribers(db, [told]);
}

/**
 * Records Beehiiv's word on people who have a row. A page of its list also has their tiers. Newer
 * knowledge stays, even on the leads. A status that may soon change is checked after five minutes,
 * when Beehiiv has usually validated a new email. Returns how many have a row.
 */
export async function recordSubscribers(
  db: Database,
  told: (Told & { tier?: string | null })[],
): Promise<number> {
  const { known } = await queryOne<{ known: number }>(
    db,
    `with told as (
       select distinct on (lower(email)) lower(email) as email_normalised, id, status, coalesce(at, sync_now()) as at,
         tier, is_listed
       from json_to_recordset(:told) as told (
         email text, id text, status text, at timestamptz, tier text, is_listed boolean)
       order by lower(email), at desc
     ), marked as materialized (
       -- Leads are locked before people, in one order.
       select leads.id from leads join told using (email_normalised)
       where beehiiv_status = 'sent' and subscriber_status is distinct from told.status
       order by email_normalised, leads.id for no key update of leads
     ), known as materialized (
       select email_normalised, learned_at from people
       where email_normalised in (select email_normalised from told) and (select count(*) from marked) >= 0
       order by email_normalised for no key update
     ), judged as (
       select told.*, coalesce(known.learned_at <= told.at, true) as is_newer
       from told join known using (email_normalised)
     ), learned as (
       update people set
         listed_at = case when is_listed then judged.at else listed_at end,
         listed_tier = case when is_listed then judged.tier else listed_tier end,
         subscriber_id = case when is_newer then judged.id else subscriber_id end,
         status = case when is_newer then judged.status else people.status end,
         learned_at = case when is_newer then judged.at else learned_at end,
         status_since = case when is_newer and people.status is distinct from judged.status
           then judged.at else status_since end,
         check_due_at = case
           when not is_newer or people.status = judged.status then check_due_at
           when judged.status in ('validating', 'pending', 'needs_attention')
             and judged.at > sync_now() - interval '2 days' then judged.at + interval '5 minutes'
         end
       from judged
       where people.email_normalised = judged.email_normalised and (is_newer or is_listed)
       returning people.email_normalised, people.status
     ), copied as (
       update leads set subscriber_status = learned.status from learned
       where leads.email_normalised = learned.email_normalised and beehiiv_status = 'sent'
         and leads.subscriber_status is distinct from learned.status
     )
     select count(*)::int as known from known`,
    {
      told: JSON.stringify(told.map((each) => ({ ...each, is_listed: each.tier !== undefined }))),
    },
    'record subscribers',
  );
  return known;
}

/**
 * Records since when, at the latest, somebody has been unsubscribed. An older consent no longer
 * resubscribes them.
 */
export async function recordDeparture(
  db: Database,
  emailNormalised: string,
  since: Date | 'now',
): Promise<void> {
  await db('people')
    .where({ emailNormalised, status: 'inactive' })
    .update({ statusSince: since === 'now' ? db.raw('sync_now()') : since });
}

export type DueCheck = { emailNormalised: string; askedAt: Date };

/**
 * Claims the status whose check has been due longest. The next check is due when the status is
 * twice as old, at the earliest in ten minutes. After two days it is left to the nightly
 * comparison, which reads a hundred with one request. Returns null if none is due, or while a
 * comparison reads them all.
 */
export async function claimDueCheck(db: Database): Promise<DueCheck | null> {
  const [due] = await query<DueCheck>(
    db,
    `update people set check_due_at = case when status_since > sync_now() - interval '2 days'
       then sync_now() + greatest(interval '10 minutes', sync_now() - status_since) end
     where email_normalised = (
       select email_normalised from people
       where check_due_at <= sync_now() and not exists (select from tasks where name = 'comparison' and leased_until > sync_now())
       order by check_due_at limit 1 for update skip locked
     )
     returning email_normalised, sync_now() as asked_at`,
  );
  return due ?? null;
}
