import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_OF_PERSON } from '@site/schema/calls/people';
import type { FoundPerson } from '@site/schema/calls/people';
import { MAIN_FIRST } from '../../subscriptions/subscription.repository.ts';
import type { Match, Via } from './people-search.repository.ts';

/** A person's row, with what tells where the text of a search was found. */
export type PersonRow = Omit<
  CallSent<'POST /api/admin/people/search'>['people'][number],
  'foundIn'
> & { company: string | null; via: Via | null };

type StoredRow = Omit<FoundPerson, 'foundIn' | 'state' | 'complimentaryUntil'> & {
  address: string;
  company: string | null;
  complimentaryUntil: Date | null;
};

/** Reads the rows of a page, in its order. */
export async function findPeople(db: Database, matches: Match[]): Promise<PersonRow[]> {
  const rows = await query<StoredRow>(
    db,
    `with
     -- The leads of an email: its owner's, then those that a correction brought there, then those that have left it.
     theirs as (
       select *, row_number() over (partition by email_normalised
           order by is_corrected, is_correction, submitted_at desc, id) as place
       from (
         select id, email_normalised, form_type, submitted_at, corrected_to,
           beehiiv_status, beehiiv_reason, subscriber_status, quarantine_reason, corrected_to is not null as is_corrected,
           exists (select from leads mistyped where mistyped.corrected_to = leads.id) as is_correction
         from leads where email_normalised = any(:addresses::text[])
       ) each
     )
     select address, people.email, people.name, people.company,
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
         from stripe_invoices where stripe_subscription_id = any(own.ids)) as paid_pence
     from unnest(:addresses::text[]) address join people on people.email_normalised = address
       left join theirs lead on lead.email_normalised = address and lead.place = 1
       cross join lateral (
         select array_agg(stripe_subscription_id) as ids
         from subscriptions where email_normalised = address
       ) own`,
    {
      addresses: matches.map(({ address }) => address),
      most: MAX_OF_PERSON,
    },
  );
  const byAddress = new Map(rows.map(({ address, ...row }) => [address, row]));
  return matches.flatMap(({ address, state, via }) => {
    const row = byAddress.get(address);
    return row ? [{ ...withTimes(row), state, via }] : [];
  });
}

/** The database writes a time in JSON with its offset. */
function withTimes({ lead, subscription, ...row }: Omit<StoredRow, 'address'>) {
  const toTime = (at: string | null) => (at === null ? null : new Date(at));
  return {
    ...row,
    lead: lead && { ...lead, submittedAt: new Date(lead.submittedAt) },
    subscription: subscription && {
      ...subscription,
      firstPaidAt: toTime(subscription.firstPaidAt),
      trialEndsAt: toTime(subscription.trialEndsAt),
      cancelAt: toTime(subscription.cancelAt),
      endedAt: toTime(subscription.endedAt),
    },
  };
}
