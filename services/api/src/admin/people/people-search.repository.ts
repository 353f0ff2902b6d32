import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { toWords } from '@site/schema/search-words';
import { MAX_FOUND, MAX_LISTED, PERSON_STATES } from '@site/schema/calls/people';
import type { PeopleList, PersonState } from '@site/schema/calls/people';
import { escapeLike, whereWords } from '../leads/lead-filter.ts';

export const PER_PAGE = 50;

type Bound = { sql: string; bindings: Record<string, unknown> };

/** Lists the addresses of the payer, or the lead, that an id of Stripe's is about. */
export async function findByStripeId(db: Database, id: string): Promise<string[]> {
  const rows = await query<{ address: string }>(
    db,
    `with subscription as (
       select :id as name
       union select stripe_subscription_id from stripe_invoices where id = :id
       union select stripe_subscription_id from stripe_invoices where stripe_charge_id = :id
       union select stripe_subscription_id from stripe_invoices where stripe_payment_intent_id = :id
       union select stripe_subscription_id from stripe_refunds where id = :id
       union select stripe_subscription_id from stripe_disputes where id = :id
     )
     select email_normalised as address from subscriptions join subscription on subscription.name = stripe_subscription_id
     union select email_normalised from subscriptions where stripe_customer_id = :id
     union select email_normalised from checkouts where stripe_checkout_session_id = :id
     order by 1 limit :perPage`,
    { id, perPage: PER_PAGE },
  );
  return rows.flatMap(({ address }) => address ?? []);
}

const IS_ADDRESS = `(exists (select from leads where email_normalised = lower(:text))
  or exists (select from subscriptions where email_normalised = lower(:text)))`;

/**
 * Selects the addresses of those whom a text finds, or whose invoice has that number. An address that somebody has is not
 * looked for within others: among ten million that would take half a second. `at` is when a lead that was found was submitted.
 * Columns of subscriptions are named as those of leads, so that both are searched alike. The index
 * `subscriptions_by_plain_words` is used only while the expression is the same.
 */
function toMatches(text: string): Bound {
  const [within, words] = whereWords(text);
  const matches = `not ${IS_ADDRESS} and ${within}`;
  const digits = /^[\d\s+()./-]{7,}$/.test(text) ? text.replaceAll(/\D/g, '').slice(-9) : null;
  const limit = MAX_FOUND + 1;
  const inNote = Object.fromEntries(
    toWords(text).map((word, n) => [`note${n}`, `%${escapeLike(word)}%`]),
  );
  // The index holds notes in small letters, with their accents.
  const noted = Object.keys(inNote).map((name) => `lower(text) like lower(:${name})`);
  return {
    sql: `(select lower(:text) as address, cast(null as timestamptz) as at where ${IS_ADDRESS})
      union all (select email_normalised, null from (
        select email_normalised, name as full_name, company, cast(null as text) as trace_id from subscriptions
      ) payers where ${matches} limit ${limit})
      union all (select payer.address, null from stripe_invoices i cross join lateral (select email_normalised as address
        from subscriptions where stripe_subscription_id = i.stripe_subscription_id limit 1) payer where upper(number) = upper(:text) limit ${limit})
      union all (select email_normalised, null from subscriptions where phone is not null and right(regexp_replace(phone, '\\D', '', 'g'), 9) = :digits limit ${limit})
      union all (select email_normalised, submitted_at from leads where phone is not null and right(regexp_replace(phone, '\\D', '', 'g'), 9) = :digits limit ${limit})
      union all (select email_normalised, null from notes where ${noted.join(' and ')} limit ${limit})
      union all (select email_normalised, submitted_at from leads where ${matches} limit ${limit})`,
    bindings: { ...words, ...inNote, text, digits },
  };
}

/** Judges the people of a few addresses. */
const judge = (candidates: string) => `
  given as (select address, max(at) as at from (${candidates}) found where address is not null group by address),
  judged as (
    select given.address,
      case when payer.email_normalised is not null then 'not-receiving'
        when paid.state in ('trial', 'paying') then paid.state
        when access.email_normalised is not null then 'complimentary'
        else coalesce(paid.state, 'listed') end as state,
      coalesce(paid.at, access.granted_at, given.at, (
        select max(submitted_at) from leads where leads.email_normalised = given.address)) as at
    from given left join not_receiving payer on payer.email_normalised = given.address
        and payer.email_normalised = any(array(select address from given))
      left join free_readers access on access.email_normalised = given.address
      left join lateral (
        select state, at from payer_states where payer_states.email_normalised = given.address limit 1
      ) paid on true
  )`;
/** The same, as `people`, and how many of them are on the list. */
export const judged = (candidates: string) => `
  with ${judge(candidates)}, people as (select * from judged), on_list as (
    select count(*)::int as n from people where exists (
      select from subscribers where subscribers.email_normalised = address and status = 'active')
  )`;

/** All payers whom `given` does not hold. Without a time, so that they are counted in an index alone. */
const ALL_PAYERS = `select email_normalised, state, cast(null as timestamptz) from payer_states
  where email_normalised not in (select address from given)`;

/** The newest of all payers, of those on the list, or of a state that is read from subscriptions alone. */
function newestPayers(state: PeopleList | undefined): string {
  const isListed =
    state === 'on-list'
      ? `exists (select from subscribers where subscribers.email_normalised = payer.email_normalised and status = 'active')`
      : state === undefined
        ? 'true'
        : `:state in ('trial', 'paying', 'ended') and :state = (
            select state from payer_states where payer_states.email_normalised = payer.email_normalised)`;
  return `(select email_normalised, :state, coalesce(started_at, created_at) from subscriptions payer
    where ${isListed} and email_normalised not in (select address from given) and not exists (
      select from subscriptions later where later.email_normalised = payer.email_normalised
        and (coalesce(later.started_at, later.created_at), later.id) > (coalesce(payer.started_at, payer.created_at), payer.id))
    order by coalesce(started_at, created_at) desc limit :last)`;
}

/** Which of those who never paid are listed. */
const OTHERS = {
  all: `quarantine_reason is null and corrected_to is null`,
  'on-list': `exists (
    select from subscribers where subscribers.email_normalised = leads.email_normalised and status = 'active')`,
};

/**
 * Judges everybody alike: the few of whom their own subscriptions do not say everything, the newest `:last` of those who never
 * paid, and all others who pay or paid, or the newest. Without `isJudged`, who pays and does not receive is not looked for.
 */
const everybody = (others: string, payers: string, isJudged: boolean) => `
  with ${judge(`
    select email_normalised as address, cast(null as timestamptz) as at from free_readers
    ${isJudged ? 'union all select email_normalised, null from not_receiving' : ''}
    union all (
      select email_normalised, submitted_at from leads
      where not exists (select from subscriptions s where s.email_normalised = leads.email_normalised)
        and not exists (
          select from free_readers a where a.email_normalised = leads.email_normalised)
        and not exists (
          select from leads newer where newer.email_normalised = leads.email_normalised
            and (newer.submitted_at, newer.id) > (leads.submitted_at, leads.id))
        and ${others}
      order by submitted_at desc, id desc limit :last
    )`)},
  people as (select * from judged union all ${payers}),
  on_list as (select coalesce(sum(subscribers), 0)::int as n from subscriber_counts where status = 'active')`;

type Page = { addresses: string[]; counts: FoundCounts; isCapped: boolean };
type FoundCounts = CallSent<'POST /api/admin/people/search'>['counts'];
type Wanted = { state: PeopleList | undefined; offset: number };

type CountsRow = { counts: Partial<Record<PersonState, number>>; onList: number };

const toCounts = ({ counts, onList }: CountsRow) =>
  ({
    ...Object.fromEntries(PERSON_STATES.map((each) => [each, counts[each] ?? 0])),
    'on-list': onList,
  }) as FoundCounts;

/** Lists a page of the people that a text or an id finds: payers who do not receive first, in each state the newest first. */
async function readPage(db: Database, { sql, bindings }: Bound, wanted: Wanted): Promise<Page> {
  const { addresses, ...counts } = await queryOne<Pick<Page, 'addresses'> & CountsRow>(
    db,
    `${judged(sql)}
     select (
         select coalesce(json_object_agg(state, n), '{}') from (
           select state, count(*) as n from people group by state
         ) counted) as counts,
       (select n from on_list) as on_list,
       array(
         select address from people
         where case :state when 'all' then true
           when 'on-list' then exists (
             select from subscribers where subscribers.email_normalised = address and status = 'active')
           else state = :state end
         order by array_position(cast(:states as text[]), state), at desc, address limit :most offset :offset
       ) as addresses`,
    { ...bindings, ...toBindings(wanted), states: [...PERSON_STATES] },
  );
  return { addresses, counts: toCounts(counts), isCapped: false };
}

const toBindings = ({ state, offset }: Wanted) => ({
  state: state ?? 'all',
  offset,
  most: PER_PAGE + 1,
});

/** Lists a page of those whom a text finds. */
export async function listMatches(db: Database, text: string, wanted: Wanted): Promise<Page> {
  const page = await readPage(db, toMatches(text), wanted);
  const found = PERSON_STATES.reduce((sum, each) => sum + page.counts[each], 0);
  return { ...page, isCapped: found > MAX_FOUND };
}

/** Lists those of the addresses that an id of Stripe's is about. */
export async function listGiven(db: Database, addresses: string[], wanted: Wanted): Promise<Page> {
  const sql = 'select unnest(:addresses::text[]) as address, cast(null as timestamptz) as at';
  return readPage(db, { sql, bindings: { addresses } }, wanted);
}

/** Lists a page of everybody, the newest first. */
export async function listNewest(db: Database, wanted: Wanted): Promise<Page> {
  const { state, offset } = wanted;
  const last = offset + PER_PAGE + 1;
  const others = OTHERS[state === 'on-list' ? 'on-list' : 'all'];
  const isJudged = state !== undefined && state !== 'on-list';
  const [counted, { addresses }, { listed }] = await Promise.all([
    queryOne<CountsRow>(
      db,
      `${everybody(others, ALL_PAYERS, true)}
       select (
           select coalesce(json_object_agg(state, n), '{}') from (
             select state, count(*) as n from people group by state
           ) counted) as counts,
         (select n from on_list) as on_list`,
      { last },
    ),
    queryOne<Pick<Page, 'addresses'>>(
      db,
      // Those on the list are looked up in the order of the page, until it is full.
      `${everybody(others, newestPayers(state), isJudged)}
       select array(
         select address from (select * from people order by at desc, address offset 0) people
         where case :state when 'all' then true
           when 'on-list' then exists (
             select from subscribers where subscribers.email_normalised = address and status = 'active')
           else state = :state end
         order by at desc, address limit :most offset :offset
       ) as addresses`,
      { last, ...toBindings(wanted) },
    ),
    queryOne<{ listed: number }>(
      db,
      `select count(*)::int as listed from (
         select from leads
         where not exists (select from subscriptions s where s.email_normalised = leads.email_normalised)
           and not exists (
             select from free_readers a where a.email_normalised = leads.email_normalised)
           and not exists (
             select from leads newer where newer.email_normalised = leads.email_normalised
               and (newer.submitted_at, newer.id) > (leads.submitted_at, leads.id))
           and quarantine_reason is null and corrected_to is null
         limit :most
       ) counted`,
      { most: MAX_LISTED + 1 },
    ),
  ]);
  const counts = { ...toCounts(counted), listed: Math.min(listed, MAX_LISTED) };
  return { addresses, counts, isCapped: listed > MAX_LISTED };
}
