import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { MAX_OF_PERSON } from '@site/schema/calls/people';
import type { FoundPerson } from '@site/schema/calls/people';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import { toWords } from '@site/schema/search-words';
import { MAIN_FIRST } from '../../subscriptions/subscription.repository.ts';
import { escapeLike } from '../leads/lead-filter.ts';
import { judged } from './people-search.repository.ts';

/** The parts of a person's row, besides the match. */
export type PersonRow = Omit<FoundPerson, 'foundIn'> & {
  /** Where the text is, if it is there. */
  inName: string | null;
  inCompany: string | null;
  inPhone: string | null;
  inNote: string | null;
  inInvoice: string | null;
};

/** Reads the rows of a page, in its order, and where the text of the search is found in each. */
export async function findPeople(
  db: Database,
  addresses: string[],
  text: string,
): Promise<PersonRow[]> {
  return query(
    db,
    `${judged('select unnest(:addresses::text[]) as address, cast(null as timestamptz) as at')},
     sought as (select array(select plain_words(pattern) from unnest(:patterns::text[]) pattern) as patterns),
     -- The leads of an address: its owner's, then those that a correction brought there, then those that have left it.
     theirs as (
       select *, row_number() over (partition by email_normalised
           order by is_corrected, is_correction, submitted_at desc, id) as place,
         row_number() over (partition by email_normalised
           order by is_corrected, is_correction, full_name is null, submitted_at desc) as named_place
       from (
         select id, email, email_normalised, full_name, company, phone, form_type, submitted_at, utm_source, corrected_to,
           beehiiv_status, beehiiv_reason, subscriber_status, quarantine_reason, corrected_to is not null as is_corrected,
           exists (select from leads mistyped where mistyped.corrected_to = leads.id) as is_correction
         from leads where email_normalised = any(:addresses::text[])
       ) each
     )
     select coalesce(named.email, payer.email, address) as email, coalesce(named.full_name, payer.name) as name, state,
       array(select id from theirs where email_normalised = address and place <= :most order by place) as lead_ids,
       case when lead.id is not null then json_build_object('formType', lead.form_type, 'submittedAt', lead.submitted_at,
         'beehiivStatus', lead.beehiiv_status, 'beehiivReason', lead.beehiiv_reason,
         'subscriberStatus', lead.subscriber_status, 'quarantineReason', lead.quarantine_reason,
         'isCorrected', lead.is_corrected, 'correctedTo', (
           with recursive corrected (next_id, email, step) as (
             select later.corrected_to, email, 1 from leads later where later.id = lead.corrected_to
             union all select later.corrected_to, later.email, step + 1 from leads later join corrected on later.id = next_id
           ) select email from corrected order by step desc limit 1)) end as lead,
       (select row_to_json(shown) from (
         select (select shown.stage from shown_stages shown where shown.id = subscriptions.id) as stage, plan, amount_pence as "amountPence", first_paid_at as "firstPaidAt", trial_ends_at as "trialEndsAt",
           cancel_at as "cancelAt", ended_at as "endedAt"
         from subscriptions where email_normalised = address order by ${MAIN_FIRST} limit 1) shown) as subscription,
       (select until from free_readers where email_normalised = address) as complimentary_until,
       (select sum(paid_pence - refunded_pence)::int
         from stripe_invoices where stripe_subscription_id = any(own.ids)) as paid_pence,
       (select json_build_object('at', at, 'kind', kind, 'detail', detail) from (
         (select lead.submitted_at as at, 'form' as kind, case when lead.is_correction then 'corrected'
           when lead.utm_source = :operatorSource then lead.utm_source else lead.form_type end as detail)
         union all (select later.submitted_at, 'form', 'corrected' from leads later
           where id = any(array(select corrected_to from theirs where email_normalised = address))
             and not exists (select from theirs where email_normalised = address and not is_corrected))
         union all (select submitted_at, 'form', 'corrected' from theirs
           where email_normalised = address and is_correction and not is_corrected)
         union all (select started_at, 'started', stage from subscriptions where email_normalised = address)
         union all (select canceled_at, 'cancelled', case when own.live > 1 then 'one' end from subscriptions
           where email_normalised = address and cancel_at is not null and ended_at is null)
         union all (select at, 'resumed', null from operator_actions where action = 'resume-subscription' and subject = any(own.ids))
         union all (select ended_at, 'ended', case when own.live > 0 then 'one' end from subscriptions where email_normalised = address)
         union all (select paid_at, 'paid', number from stripe_invoices where stripe_subscription_id = any(own.ids) and paid_pence > 0)
         union all (select refunded_at, 'refunded', null from stripe_refunds r
           where r.stripe_subscription_id = any(own.ids) and r.status not in ('failed', 'canceled'))
         union all (select opened_at, 'disputed', null from stripe_disputes d
           where d.stripe_subscription_id = any(own.ids))
       ) happened where at is not null order by at desc limit 1) as last,
       coalesce(
         (select full_name from theirs where email_normalised = address and plain_words(full_name) like any (sought.patterns)
           order by submitted_at desc limit 1),
         (select name from subscriptions where email_normalised = address and plain_words(name) like any (sought.patterns) limit 1)
       ) as in_name,
       coalesce(
         (select company from theirs where email_normalised = address and plain_words(company) like any (sought.patterns)
           order by submitted_at desc limit 1),
         (select company from subscriptions where email_normalised = address and plain_words(company) like any (sought.patterns) limit 1)
       ) as in_company,
       case when length(:digits) >= 7 then coalesce(
         (select phone from theirs where email_normalised = address
           and right(regexp_replace(phone, '\\D', '', 'g'), 9) = right(:digits, 9) order by submitted_at desc limit 1),
         (select phone from subscriptions where email_normalised = address
           and right(regexp_replace(phone, '\\D', '', 'g'), 9) = right(:digits, 9) limit 1)
       ) end as in_phone,
       (select notes.text from notes where email_normalised = address and lower(notes.text) like all (
         array(select lower(pattern) from unnest(:patterns::text[]) pattern)) limit 1) as in_note,
       (select number from stripe_invoices where stripe_subscription_id = any(own.ids) and upper(number) = upper(:wanted) limit 1)
         as in_invoice
     from sought, unnest(:addresses::text[]) with ordinality as asked (address, place) join people using (address)
       left join theirs lead on lead.email_normalised = address and lead.place = 1
       left join theirs named on named.email_normalised = address and named.named_place = 1
       left join lateral (
         select email, name from subscriptions where email_normalised = address order by name is null, created_at desc limit 1
       ) payer on true
       cross join lateral (
         select array_agg(stripe_subscription_id) as ids, count(*) filter (where is_live) as live
         from subscriptions where email_normalised = address
       ) own
     order by asked.place`,
    {
      addresses,
      most: MAX_OF_PERSON,
      operatorSource: OPERATOR_SOURCE,
      wanted: text,
      patterns: toWords(text).map((word) => `%${escapeLike(word)}%`),
      digits: text.replaceAll(/\D/g, ''),
    },
  );
}
