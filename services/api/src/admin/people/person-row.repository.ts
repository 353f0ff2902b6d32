import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { MAX_OF_PERSON } from '@site/schema/calls/people';
import type { FoundPerson } from '@site/schema/calls/people';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import { toWords } from '@site/schema/search-words';
import { MAIN_FIRST } from '../../subscriptions/subscription.repository.ts';
import { shownStage } from '../../subscriptions/unsettled.repository.ts';
import { escapeLike } from '../leads/lead-filter.ts';
import { judged, PHONE } from './people-search.repository.ts';

/** What a person's row is made of, besides why it was found. */
export type PersonRow = Omit<FoundPerson, 'state' | 'foundIn'> & {
  rank: number;
  /** Where the text is, if it is there. */
  inName: string | null;
  inCompany: string | null;
  inPhone: string | null;
  inNote: string | null;
  inInvoice: string | null;
};

const IS_OWN = 'subscriptions.email_normalised = address';
const OWN = `select stripe_subscription_id from subscriptions where ${IS_OWN}`;

/** Finds the first value of a column, in the leads or the subscriptions of an address, that meets a condition. */
const findIn = (
  ofLeads: string,
  ofPayers: string,
  condition: (column: string) => string,
) => `coalesce(
  (select ${ofLeads} from leads where leads.email_normalised = address and ${condition(ofLeads)} order by submitted_at desc limit 1),
  (select ${ofPayers} from subscriptions where subscriptions.email_normalised = address and ${condition(ofPayers)} limit 1))`;
const contains = (column: string) =>
  `plain_words(${column}) like any (array(select plain_words(pattern) from unnest(:patterns::text[]) pattern))`;

/** Reads the rows of a page, in its order, and where the text of the search is found in each. */
export async function findPeople(
  db: Database,
  addresses: string[],
  text: string,
): Promise<PersonRow[]> {
  return query(
    db,
    `${judged('select unnest(:addresses::text[]) as address, cast(null as timestamptz) as at')}
     select coalesce(newest.email, payer.email, address) as email, coalesce(newest.full_name, payer.name) as name, rank,
       array(select id from leads where email_normalised = address order by leads.corrected_to is not null, exists (select from leads mistyped where mistyped.corrected_to = leads.id), submitted_at desc, id limit ${MAX_OF_PERSON}) as lead_ids,
       lead.facts as lead,
       (select row_to_json(shown) from (
         select case when email_normalised <> address then email end as "paidBy",
           ${shownStage('subscriptions')} as stage, plan, amount_pence as "amountPence", first_paid_at as "firstPaidAt", trial_ends_at as "trialEndsAt",
           cancel_at as "cancelAt", ended_at as "endedAt"
         from subscriptions where ${IS_OWN} or subscriptions.delivery_normalised = address order by ${MAIN_FIRST} limit 1) shown) as subscription,
       (select until from complimentary_access where email_normalised = address and until > now()) as complimentary_until,
       (select sum(paid_pence - refunded_pence)::int
         from stripe_invoices where stripe_subscription_id in (${OWN})) as paid_pence,
       (select json_build_object('at', at, 'kind', kind, 'detail', detail) from (
         (select lead.submitted_at as at, 'form' as kind, lead.detail as detail)
         union all (select later.submitted_at, 'form', 'corrected' from leads later where id in (select corrected_to from leads where email_normalised = address)
           and not exists (select from leads where email_normalised = address and corrected_to is null))
         union all (select submitted_at, 'form', 'corrected' from leads where email_normalised = address and corrected_to is null
           and exists (select from leads mistyped where mistyped.corrected_to = leads.id))
         union all (select started_at, 'started', stage from subscriptions where ${IS_OWN})
         union all (select canceled_at, 'cancelled', (select 'one' from subscriptions where ${IS_OWN} and is_live having count(*) > 1)
           from subscriptions where ${IS_OWN} and cancel_at is not null and ended_at is null)
         union all (select at, 'resumed', null from operator_actions where action = 'resume-subscription' and subject in (${OWN}))
         union all (select ended_at, 'ended', (select 'one' from subscriptions where ${IS_OWN} and is_live having count(*) > 0)
           from subscriptions where ${IS_OWN})
         union all (select paid_at, 'paid', number from stripe_invoices where stripe_subscription_id in (${OWN}) and paid_pence > 0)
         union all (select refunded_at, 'refunded', null from stripe_refunds r
           where r.stripe_subscription_id in (${OWN}) and r.status not in ('failed', 'canceled'))
         union all (select opened_at, 'disputed', null from stripe_disputes d
           where d.stripe_subscription_id in (${OWN}))
       ) happened where at is not null order by at desc limit 1) as last,
       ${findIn('full_name', 'name', contains)} as in_name,
       ${findIn('company', 'company', contains)} as in_company,
       ${findIn('phone', 'phone', () => `length(:digits) >= 7 and ${PHONE} = right(:digits, 9)`)} as in_phone,
       (select notes.text from notes where email_normalised = address and lower(notes.text) like all (array(select lower(pattern) from unnest(:patterns::text[]) pattern)) limit 1) as in_note,
       (select number from stripe_invoices where stripe_subscription_id in (${OWN}) and upper(number) = upper(:wanted) limit 1)
         as in_invoice
     from unnest(:addresses::text[]) with ordinality as asked (address, place) join people using (address)
       left join lateral (
         select submitted_at,
           case when exists (select from leads mistyped where mistyped.corrected_to = leads.id) then 'corrected' when utm_source = '${OPERATOR_SOURCE}' then utm_source else form_type end as detail,
           json_build_object('formType', form_type, 'submittedAt', submitted_at, 'beehiivStatus', beehiiv_status,
             'beehiivReason', beehiiv_reason, 'subscriberStatus', subscriber_status, 'quarantineReason', quarantine_reason,
             'isCorrected', corrected_to is not null, 'correctedTo', (
               with recursive corrected (next_id, email, step) as (
                 select later.corrected_to, email, 1 from leads later where later.id = leads.corrected_to
                 union all select later.corrected_to, later.email, step + 1 from leads later join corrected on later.id = next_id
               ) select email from corrected order by step desc limit 1)) as facts
         from leads where email_normalised = address order by leads.corrected_to is not null, exists (select from leads mistyped where mistyped.corrected_to = leads.id), submitted_at desc limit 1) lead on true
       left join lateral (
         select email, full_name from leads where email_normalised = address
         order by leads.corrected_to is not null, exists (select from leads mistyped where mistyped.corrected_to = leads.id), full_name is null, submitted_at desc limit 1) newest on true
       left join lateral (
         select email, name from subscriptions where email_normalised = address order by name is null, created_at desc limit 1
       ) payer on true
     order by place`,
    {
      addresses,
      wanted: text,
      patterns: toWords(text).map((word) => `%${escapeLike(word)}%`),
      digits: text.replaceAll(/\D/g, ''),
    },
  );
}
