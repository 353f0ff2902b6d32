import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { toWords } from '@site/schema/text';
import { MAX_FOUND, MAX_LISTED, PERSON_STATES, MAX_OF_PERSON } from '@site/schema/calls/people';
import type { PeopleList, PersonState, FoundPerson } from '@site/schema/calls/people';
import { escapeLike, matchWords } from '../leads/lead-filter.ts';
import type { CallSent } from '@site/schema/calls/calls';
import { MAIN_FIRST } from '../../subscriptions/subscription.repository.ts';

/** Where a text was found. */
export type Via = 'address' | 'invoice' | 'note' | 'phone' | 'stripe' | 'words';
export type Match = {
  address: string;
  via: Via | null;
  standing: PersonState;
  isOnList: boolean;
};

const MATCHES = `
  select address, via, coalesce(apart.state, standing, 'listed') as standing,
    coalesce(status = 'active', false) as is_on_list
  from (
    select email_normalised as address, min(via) as via from found
    where email_normalised is not null group by 1 limit :most
  ) found join people on people.email_normalised = address
    left join people_apart apart on apart.email_normalised = address
  order by array_position(cast(:states as text[]), coalesce(apart.state, standing, 'listed')), seen_at desc, address`;

/**
 * Lists the people that a text finds, at most one more than `MAX_FOUND`: payers who do not receive
 * first, in each state the last seen first. A known email finds its person alone: looking for it
 * inside longer ones would take half a second among ten million.
 */
export async function findByText(db: Database, text: string): Promise<Match[]> {
  const [isMatch, words] = matchWords(text, 'searched');
  const digits = /^[\d\s+()./-]{7,}$/.test(text) ? text.replaceAll(/\D/g, '').slice(-9) : null;
  const inNote = Object.fromEntries(
    toWords(text).map((word, n) => [`note${n}`, `%${escapeLike(word)}%`]),
  );
  // The index holds notes in small letters, with their accents.
  const isNoted = Object.keys(inNote).map((name) => `lower(text) like lower(:${name})`);
  return query(
    db,
    `with exact as (
       select email_normalised from people where email_normalised = lower(:text)
     ), found as (
       select email_normalised, 'address' as via from exact
       union all (select email_normalised, 'words' from people
         where not exists (select from exact) and ${isMatch} limit :most)
       union all (select email_normalised, 'words' from leads where trace_id = :text limit :most)
       union all (select email_normalised, 'phone' from people where phone_digits = :digits limit :most)
       union all (select email_normalised, 'note' from notes where ${isNoted.join(' and ')} limit :most)
       union all (select payer.email_normalised, 'invoice' from stripe_invoices i cross join lateral (
           select email_normalised from subscriptions
           where stripe_subscription_id = i.stripe_subscription_id limit 1
         ) payer where upper(number) = upper(:text) limit :most)
     )
     ${MATCHES}`,
    { ...words, ...inNote, text, digits, most: MAX_FOUND + 1, states: [...PERSON_STATES] },
  );
}

/** Lists the payers or the leads behind a Stripe id. */
export async function findByStripeId(db: Database, id: string): Promise<Match[]> {
  return query(
    db,
    `with subscription as (
       select :id as name
       union select stripe_subscription_id from stripe_invoices where id = :id
       union select stripe_subscription_id from stripe_invoices where stripe_charge_id = :id
       union select stripe_subscription_id from stripe_invoices where stripe_payment_intent_id = :id
       union select stripe_subscription_id from stripe_refunds where id = :id
       union select stripe_subscription_id from stripe_disputes where id = :id
     ), found as (
       select email_normalised, 'stripe' as via
       from subscriptions join subscription on subscription.name = stripe_subscription_id
       union all select email_normalised, 'stripe' from subscriptions where stripe_customer_id = :id
       union all select email_normalised, 'stripe' from checkouts where stripe_checkout_session_id = :id
     )
     ${MATCHES}`,
    { id, most: MAX_FOUND + 1, states: [...PERSON_STATES] },
  );
}

/** The people of each list. A state in `people_apart` precedes the standing in `people`. */
const LISTS: Record<PeopleList | 'all', string> = {
  all: 'standing is not null',
  'on-list': `status = 'active'`,
  'not-receiving': `email_normalised in (select email_normalised from people_apart where state = 'not-receiving')`,
  complimentary: `email_normalised in (select email_normalised from people_apart where state = 'complimentary')`,
  trial: `standing = 'trial' and email_normalised not in (select email_normalised from people_apart)`,
  paying: `standing = 'paying' and email_normalised not in (select email_normalised from people_apart)`,
  ended: `standing = 'ended' and email_normalised not in (select email_normalised from people_apart)`,
  listed: `standing = 'listed' and email_normalised not in (select email_normalised from people_apart)`,
};

/** Lists a page of everybody, the last seen first. */
export async function listNewest(
  db: Database,
  { state, offset, limit }: { state: PeopleList | undefined; offset: number; limit: number },
): Promise<Match[]> {
  return query(
    db,
    `select address, null as via, coalesce(apart.state, standing, 'listed') as standing, is_on_list
     from (
       select email_normalised as address, standing, seen_at, coalesce(status = 'active', false) as is_on_list
       from people where ${LISTS[state ?? 'all']}
       order by seen_at desc, email_normalised limit :limit offset :offset
     ) page left join people_apart apart on apart.email_normalised = address
     order by seen_at desc, address`,
    { limit, offset },
  );
}

export type ListCounts = Partial<Record<PeopleList, number>>;

/** Counts the people of each list, those who never paid and those on the list up to `MAX_LISTED`. */
export async function countLists(db: Database): Promise<ListCounts> {
  const rows = await query<{ list: PeopleList; people: number }>(
    db,
    `with apart as materialized (
       select state, standing from people_apart join people using (email_normalised)
     ), counted as (
       select standing as list, count(*) as people from people
       where standing in ('trial', 'paying', 'ended') group by 1
       union all select 'listed', count(*) from (
         select from people where standing = 'listed' limit :most) listed
       union all select 'on-list', count(*) from (
         select from people where status = 'active' limit :most) active
       union all select state, count(*) from apart group by 1
       union all select standing, -count(*) from apart where standing is not null group by 1
     )
     select list, greatest(0, sum(people))::int as people from counted group by 1`,
    { most: MAX_LISTED + 1 },
  );
  return Object.fromEntries(rows.map(({ list, people }) => [list, people]));
}

/** A person's row, with the columns in which a search may have found its text. */
export type PersonRow = Omit<
  CallSent<'POST /api/admin/people/search'>['people'][number],
  'foundIn'
> & { company: string | null; via: Via | null };

type StoredRow = Omit<FoundPerson, 'foundIn' | 'standing' | 'complimentaryUntil'> & {
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
       case when lead.id is not null then json_build_object('formType', lead.form_type, 'submittedAt', iso(lead.submitted_at),
         'beehiivStatus', lead.beehiiv_status, 'beehiivReason', lead.beehiiv_reason,
         'subscriberStatus', lead.subscriber_status, 'quarantineReason', lead.quarantine_reason,
         'isCorrected', lead.is_corrected, 'correctedTo', (
           with recursive corrected (next_id, email, step) as (
             select later.corrected_to, email, 1 from leads later where later.id = lead.corrected_to
             union all select later.corrected_to, later.email, step + 1 from leads later join corrected on later.id = next_id
           ) select email from corrected order by step desc limit 1)) end as lead,
       (select row_to_json(shown) from (
         select (select shown.stage from shown_stages shown where shown.id = subscriptions.id) as stage, plan, amount_pence as "amountPence",
           iso(first_paid_at) as "firstPaidAt", iso(trial_ends_at) as "trialEndsAt", iso(cancel_at) as "cancelAt",
           iso(ended_at) as "endedAt"
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
  return matches.flatMap(({ address, standing, via }) => {
    const row = byAddress.get(address);
    return row ? [{ ...row, standing, via }] : [];
  });
}
