import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/*
 * Beehiiv's status of each person: one row an email, for emails of leads, which only this file
 * writes. Sent leads keep a copy of the status, by which the console filters.
 * Before: every run that has an answer of Beehiiv. Next: `claim.ts`, which reads it, and the
 * comparison.
 */

/** Beehiiv's word on an email at a time. Without a time: just now, on the database's clock. */
export type Told = { email: string; id: string | null; status: string; at?: Date | string };

/**
 * Records Beehiiv's word. Newer knowledge stays, on the leads too. A status that may soon change is
 * checked after five minutes, when Beehiiv has usually validated a new email.
 */
export async function recordSubscribers(db: Database, told: Told[]): Promise<void> {
  await query(
    db,
    `with told as (
       select distinct on (lower(email)) lower(email) as email_normalised, id, status, coalesce(at, sync_now()) as at
       from json_to_recordset(:told) as told (email text, id text, status text, at timestamptz)
       order by lower(email), at desc
     ), learned as (
       insert into subscribers as known (email_normalised, subscriber_id, status, status_since, learned_at, check_due_at)
         select email_normalised, id, status, at, at,
           case when status in ('validating', 'pending', 'needs_attention') and at > sync_now() - interval '2 days'
             then at + interval '5 minutes' end
         from told where exists (select from leads where leads.email_normalised = told.email_normalised)
         order by email_normalised
       on conflict (email_normalised) do update set subscriber_id = excluded.subscriber_id, status = excluded.status,
         learned_at = excluded.learned_at,
         status_since = case when known.status = excluded.status then known.status_since else excluded.status_since end,
         check_due_at = case when known.status = excluded.status then known.check_due_at else excluded.check_due_at end
         where known.learned_at <= excluded.learned_at
       returning email_normalised, status
     )
     update leads set subscriber_status = learned.status from learned
     where leads.email_normalised = learned.email_normalised and beehiiv_status = 'sent'
       and leads.subscriber_status is distinct from learned.status`,
    { told: JSON.stringify(told) },
    'record subscribers',
  );
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
  await db('subscribers')
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
    `update subscribers set check_due_at = case when status_since > sync_now() - interval '2 days'
       then sync_now() + greatest(interval '10 minutes', sync_now() - status_since) end
     where email_normalised = (
       select email_normalised from subscribers
       where check_due_at <= sync_now() and not exists (select from tasks where name = 'comparison' and leased_until > sync_now())
       order by check_due_at limit 1 for update skip locked
     )
     returning email_normalised, sync_now() as asked_at`,
  );
  return due ?? null;
}
