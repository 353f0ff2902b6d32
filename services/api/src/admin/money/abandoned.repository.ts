import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_ABANDONED_LISTED } from '@site/schema/calls/money';
import type { MoneyPeriod } from '@site/schema/calls/money';
import { bindPeriod } from './money.repository.ts';

type Abandoned = CallSent<'GET /api/admin/checkouts/abandoned'>;
type Person = Abandoned['people'][number];

const LISTED = `id, stripe_checkout_session_id, hindrance, email, email_normalised,
  started_at, plan, amount_pence, recovery_url, recovery_ends_at, contacted_at`;

/**
 * Lists the checkouts of a period that were abandoned, not opened, or are open, by person, the
 * newest first, with the newest lead of the email. Leaves out open and abandoned checkouts of
 * somebody who completed another, leads that look automated, and payment links.
 */
export async function listAbandoned(db: Database, period: MoneyPeriod): Promise<Abandoned> {
  const rows = await query<Omit<Person, 'before'> & { person: string }>(
    db,
    `with lost as (
       select ${LISTED}, shown_lead_id, false as is_open
       from abandoned_checkouts where started_at >= :from and started_at < :to
       union all
       select ${LISTED}, coalesce(lead_id, (
           select id from leads where leads.email_normalised = opened.email_normalised
           order by quarantine_reason is not null, submitted_at desc limit 1
         )), true
       from checkouts opened
       where state = 'open' and not is_payment_link
         and started_at > sync_now() - interval '1 day' and started_at >= :from and started_at < :to
         and not exists (
           select from checkouts won
           where won.state = 'complete' and won.email_normalised = opened.email_normalised
             and won.started_at >= opened.started_at - interval '1 day'
         )
         and not exists (
           select from checkouts won
           where won.state = 'complete' and won.visits && opened.visits
             and won.started_at >= opened.started_at - interval '1 day'
         )
         and not exists (
           select from subscriptions s
           where s.email_normalised = opened.email_normalised and is_live
         )
     )
     select lost.id, stripe_checkout_session_id, hindrance, is_open,
       l.id as lead_id,
       coalesce(lost.email, l.email) as email,
       coalesce(
         (
           select name from people
           where email_normalised = coalesce(l.email_normalised, lost.email_normalised)
         ), l.full_name
       ) as name,
       l.phone, started_at, plan, amount_pence as pence, l.channel, l.agreed_at,
       recovery_url, recovery_ends_at, contacted_at,
       coalesce(l.email_normalised, lost.email_normalised, lost.id::text) as person
     from lost left join lateral (
       select id, email, email_normalised, full_name, phone, quarantine_reason,
         channel_of(visit_utm_source, referrer, is_of_sample(form_type, utm_source)) as channel,
         case when consent_marketing then coalesce(consent_timestamp, submitted_at) end as agreed_at
       from leads
       where id = lost.shown_lead_id
     ) l on true
     where l.quarantine_reason is null
     order by started_at desc
     limit ${MAX_ABANDONED_LISTED + 1}`,
    bindPeriod(period),
  );
  const people = new Map<string, Person>();
  for (const { person, ...checkout } of rows.slice(0, MAX_ABANDONED_LISTED)) {
    const newest = people.get(person);
    if (newest) newest.before.push(checkout.startedAt);
    else people.set(person, { ...checkout, before: [] });
  }
  return { people: [...people.values()], isCapped: rows.length > MAX_ABANDONED_LISTED };
}
