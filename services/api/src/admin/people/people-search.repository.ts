import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { MAX_FOUND, MAX_LISTED, MAX_OF_PERSON } from '@site/schema/calls/people';
import type { PeopleSearch } from '@site/schema/calls/people';
import type { CallSent } from '@site/schema/calls/calls';
import { tidyEmail } from '@site/schema/email';
import { PERSON_STATES } from '@site/schema/person-state';
import type { PeopleList, PersonState } from '@site/schema/person-state';
import { toWords } from '@site/schema/text';
import type { Csv } from '../../http/send-csv.ts';
import { escapeLike, matchWords } from '../leads/lead-filter.ts';

/** The place where a text was found. */
export type Via = 'email' | 'former-email' | 'invoice' | 'note' | 'phone' | 'stripe' | 'words';
type Hit = { emailNormalised: string; via: Via };
export type Match = {
  emailNormalised: string;
  via: Via | null;
  state: PersonState;
  isOnList: boolean;
};

/**
 * Lists the emails that a text finds, at most one more than `MAX_FOUND`. A known email finds only
 * its person, because a search inside longer emails would take half a second among ten million.
 */
export async function findByText(db: Database, text: string): Promise<Hit[]> {
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
       select email_normalised from people
       where email_normalised = normalised_email(:email) and seen_at > '-infinity'
     ), found as (
       select email_normalised, 'email' as via from exact
       union all (
         select leads.email_normalised, 'former-email'
         from former_emails former join leads on leads.id = lead_id
         where former.email_normalised = normalised_email(:email)
         limit :most
       )
       union all (
         select email_normalised, 'words' from people
         where not exists (select from exact) and ${isMatch}
         limit :most
       )
       union all (
         select email_normalised, 'words' from leads where trace_id = :text limit :most
       )
       union all (
         select email_normalised, 'phone' from people where phone_digits = :digits limit :most
       )
       union all (
         select email_normalised, 'note' from notes
         where ${isNoted.join(' and ')}
         limit :most
       )
       union all (
         select payer.email_normalised, 'invoice'
         from stripe_invoices i cross join lateral (
           select email_normalised from subscriptions
           where stripe_subscription_id = i.stripe_subscription_id limit 1
         ) payer
         where upper(number) = upper(:text)
         limit :most
       )
     )
     select email_normalised, min(via) as via
     from found
     where email_normalised is not null
     group by 1
     limit :most`,
    { ...words, ...inNote, text, email: tidyEmail(text), digits, most: MAX_FOUND + 1 },
  );
}

/** Lists the emails of the payers or the leads behind a Stripe id. */
export async function findByStripeId(db: Database, id: string): Promise<Hit[]> {
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
       union all
       select email_normalised, 'stripe' from subscriptions where stripe_customer_id = :id
       union all
       select email_normalised, 'stripe' from checkouts where stripe_checkout_session_id = :id
     )
     select distinct email_normalised, via
     from found
     where email_normalised is not null
     limit :most`,
    { id, most: MAX_FOUND + 1 },
  );
}

export type PeopleFilter = Omit<PeopleSearch, 'text' | 'cursor'>;

const ORDERS: Record<NonNullable<PeopleFilter['sort']>, string> = {
  newest: 'state_since desc nulls last, email_normalised',
  oldest: 'state_since nulls first, email_normalised desc',
  most: 'paid_pence desc, email_normalised',
  least: 'paid_pence, email_normalised desc',
};

const dueSql = (kind: string) =>
  `select email_normalised from coming_charges
   where kind = '${kind}' and at >= london_days_ago(-1) and at < london_days_ago(-8)`;
const GROUPS: Record<NonNullable<PeopleFilter['group']>, string> = {
  payers: `select email_normalised from subscriptions where first_paid_at is not null and is_live`,
  'trials-due': dueSql('trial'),
  'renewals-due': dueSql('renewal'),
};

/** Returns the condition of a filter other than its state. The filter binds its names. */
const toCondition = ({ group, plan, startDate, endDate }: PeopleFilter): string =>
  [
    'true',
    group && `email_normalised in (${GROUPS[group]})`,
    plan && 'plan = :plan',
    startDate && 'state_since >= midnight(:startDate::date)',
    endDate && 'state_since < midnight(:endDate::date + 1)',
  ]
    .filter(Boolean)
    .join(' and ');

/**
 * Reads the states of the people found that a filter leaves, in its order, else in the order of
 * states, then the last seen first.
 */
export async function readStates(
  db: Database,
  hits: Hit[],
  filter: PeopleFilter,
): Promise<Match[]> {
  return query(
    db,
    `select email_normalised, via, coalesce(state, 'none') as state,
       status is not distinct from 'active' as is_on_list
     from json_to_recordset(:hits) hit ("emailNormalised" text, via text)
       join people on email_normalised = "emailNormalised"
     where ${toCondition(filter)}
     order by ${
       filter.sort
         ? ORDERS[filter.sort]
         : `array_position(cast(:states as text[]), coalesce(state, 'none')), seen_at desc,
       email_normalised`
     }`,
    { ...filter, hits: JSON.stringify(hits), states: [...PERSON_STATES] },
  );
}

/** Lists a page of all people of a filter. */
export async function listPeople(
  db: Database,
  filter: PeopleFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<Match[]> {
  return query(
    db,
    `select email_normalised, null as via, coalesce(state, 'none') as state,
       status is not distinct from 'active' as is_on_list
     from people
     where ${toListed(filter)}
     order by ${ORDERS[filter.sort ?? 'newest']}
     limit :limit offset :offset`,
    { ...filter, limit, offset },
  );
}

function toListed(filter: PeopleFilter): string {
  const { state } = filter;
  const listed = state === 'on-list' ? `status = 'active'` : 'state = :state';
  return `${state === undefined ? 'state is not null' : listed} and ${toCondition(filter)}`;
}

/** A column of the CSV, whose amounts are numbers and whose times are ISO 8601 in UTC. */
const CSV_COLUMNS = {
  name: 'name',
  email: 'email',
  company: 'company',
  state: `coalesce(state, 'none')`,
  since: toTime('state_since'),
  until: toTime('state_until'),
  reason: 'state_reason',
  plan: 'plan',
  paidNet: 'round(paid_pence / 100.0, 2)',
};
function toTime(column: string): string {
  return `replace((${column} at time zone 'UTC')::text, ' ', 'T') || 'Z'`;
}

/** Builds the CSV of a filter's people, or of those whom a text found. */
export function toPeopleCsv(db: Database, filter: PeopleFilter, found: Match[] | null): Csv {
  const names = Object.keys(CSV_COLUMNS);
  const cells = Object.entries(CSV_COLUMNS).map(([name, cell]) => `${cell} as "${name}"`);
  const rows =
    found === null
      ? db.raw(
          `select ${cells.join(', ')} from people where ${toListed(filter)}
           order by ${ORDERS[filter.sort ?? 'newest']}`,
          { ...filter },
        )
      : db.raw(
          `select ${cells.join(', ')}
           from json_array_elements_text(:emails::json) with ordinality hit (found_email, place)
             join people on email_normalised = found_email
           order by place`,
          { emails: JSON.stringify(found.map((each) => each.emailNormalised)) },
        );
  const quoted = names.filter((name) => !['since', 'until', 'paidNet'].includes(name));
  return {
    fileName: 'people.csv',
    head: `\uFEFF${names.join(',')}\r\n`,
    rows,
    copy: (sql) =>
      `copy (${sql}) to stdout
       (format csv, force_quote (${quoted.map((name) => `"${name}"`).join(', ')}))`,
  };
}

export type ListCounts = Partial<Record<PeopleList, number>>;

/**
 * Counts the people of each list in its index alone. Counts people who never paid, and people on
 * the list, up to `MAX_LISTED`.
 */
export async function countLists(db: Database): Promise<ListCounts> {
  const rows = await query<{ list: PeopleList; people: number }>(
    db,
    `select state as list, count(*)::int as people from people
     where state = any(:states)
     group by 1
     union all
     select 'none', count(*)::int from (
       select from people where state = 'none' limit :most
     ) listed
     union all
     select 'on-list', count(*)::int from (
       select from people where status = 'active' limit :most
     ) active`,
    { most: MAX_LISTED + 1, states: PERSON_STATES.filter((state) => state !== 'none') },
    'count-lists',
  );
  return Object.fromEntries(rows.map(({ list, people }) => [list, people]));
}

/** A person's row, with the columns in which a search may have found its text. */
type Found = CallSent<'POST /api/admin/people/search'>['people'][number];
export type PersonRow = Omit<Found, 'foundIn'> & {
  company: string | null;
  names: string;
  via: Via | null;
};

/** Reads the rows of a page, in its order. */
export async function findPeople(db: Database, matches: Match[]): Promise<PersonRow[]> {
  const people = await query<Omit<PersonRow, 'via'> & { emailNormalised: string }>(
    db,
    `select people.email_normalised, people.email, people.name, people.names,
        people.company,
       coalesce(state, 'none') as state, state_since as since, state_until as until,
       state_reason as reason, free_reason,
       case when main.id is not null then json_build_object(
         'plan', main.plan, 'amountPence', main.amount_pence
       ) end as subscription,
       array(
         select id from leads where leads.email_normalised = people.email_normalised
         order by submitted_at desc, id limit :most
       ) as lead_ids,
       (
         select json_build_object(
           'formType', form_type, 'submittedAt', iso(submitted_at),
           'beehiivStatus', beehiiv_status, 'beehiivReason', beehiiv_reason,
           'subscriberStatus', subscriber_status, 'utmSource', utm_source,
           'quarantineReason', quarantine_reason
         )
         from leads where leads.email_normalised = people.email_normalised
         order by submitted_at desc, id limit 1
       ) as lead,
       (
         select coalesce(json_agg(total order by currency <> 'gbp', currency), '[]')
         from (
           select sum(pence) as pence, currency from payments
           where stripe_subscription_id = any(array(
             select stripe_subscription_id from subscriptions own
             where own.email_normalised = people.email_normalised
           ))
           group by currency
         ) total
       ) as money_in
     from people
       left join subscriptions main on main.stripe_subscription_id = main_subscription
     where people.email_normalised = any(:emails)`,
    { emails: matches.map(({ emailNormalised }) => emailNormalised), most: MAX_OF_PERSON },
    'find-people',
  );
  return matches.flatMap(({ emailNormalised: key, via }) =>
    people
      .filter((row) => row.emailNormalised === key)
      .map(({ emailNormalised: _, ...person }) => ({ ...person, via })),
  );
}
