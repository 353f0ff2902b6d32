import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { toWords } from '@site/schema/search-words';
import { MAX_FOUND, MAX_LISTED, PERSON_STATES } from '@site/schema/calls/people';
import type { PeopleList, PersonState } from '@site/schema/calls/people';
import { escapeLike, whereWords } from '../leads/lead-filter.ts';

export const PER_PAGE = 50;

type Bound = { sql: string; bindings: Record<string, unknown> };

const rankOf = (state: PersonState) => PERSON_STATES.indexOf(state);

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
     order by 1 limit ${PER_PAGE}`,
    { id },
  );
  return rows.flatMap(({ address }) => address ?? []);
}

/**
 * The subscriptions with their columns named as those of leads, so that both are searched alike. Their index
 * `subscriptions_by_plain_words` is used only while the expression is the same.
 */
const payers = (where = 'true') =>
  `(select email_normalised, name as full_name, company, cast(null as text) as trace_id from subscriptions where ${where}) payers`;

/** The digits by which a telephone number is found, as the indexes `leads_by_phone` and `subscriptions_by_phone` have them. */
export const PHONE = `right(regexp_replace(phone, '\\D', '', 'g'), 9)`;

const IS_ADDRESS = `(exists (select from leads where email_normalised = lower(:text))
  or exists (select from subscriptions where email_normalised = lower(:text))
  or exists (select from subscriptions where delivery_normalised = lower(:text)))`;

/**
 * Selects the addresses of those whom a text finds, or whose invoice has that number. An address that somebody has is not
 * looked for within others: among ten million that would take half a second. `at` is when a lead that was found was submitted.
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
      union all (select email_normalised, null from ${payers()} where ${matches} limit ${limit})
      union all (select payer.address, null from stripe_invoices i cross join lateral (select email_normalised as address
        from subscriptions where stripe_subscription_id = i.stripe_subscription_id limit 1) payer where upper(number) = upper(:text) limit ${limit})
      union all (select email_normalised, null from subscriptions where phone is not null and ${PHONE} = :digits limit ${limit})
      union all (select email_normalised, submitted_at from leads where phone is not null and ${PHONE} = :digits limit ${limit})
      union all (select email_normalised, null from notes where ${noted.join(' and ')} limit ${limit})
      union all (select email_normalised, submitted_at from leads where ${matches} limit ${limit})`,
    bindings: { ...words, ...inNote, text, digits },
  };
}

const IS_NO_PAYER = `not exists (select from subscriptions s where s.email_normalised = leads.email_normalised)
  and not exists (select from complimentary_access a where a.email_normalised = leads.email_normalised and until > now())`;

/** The newest lead of everybody who neither pays nor paid. */
const UNPAID = `from leads where ${IS_NO_PAYER} and not exists (
  select from leads newer where newer.email_normalised = leads.email_normalised
    and (newer.submitted_at, newer.id) > (leads.submitted_at, leads.id))`;
const LISTED = `${UNPAID} and quarantine_reason is null and corrected_to is null`;

const isOnList = (address: string) =>
  `exists (select from subscribers where subscribers.email_normalised = ${address} and status = 'active')`;

/** Who never paid counts with those in trial. */
const RANK = `case when stage not in ('trial', 'paying', 'ending', 'dunning') then ${rankOf('ended')}
  when first_paid_at is null then ${rankOf('trial')} else ${rankOf('paying')} end`;
/** Of all that somebody has. Who pays for one is not in trial with another. */
const TOP_RANK = `coalesce(min(${RANK}) filter (where ${RANK} = ${rankOf('paying')}), min(${RANK}))`;

/** When a subscription began, as the index `subscriptions_by_begin` has it. */
const BEGAN = 'coalesce(started_at, created_at)';

/** Judges the people of a few addresses, each with the rank of their state. */
const judge = (candidates: string) => `
  given as (select address, max(at) as at from (${candidates}) found where address is not null group by address),
  judged as (
    select given.address,
      case when payer.email_normalised is not null then ${rankOf('not-receiving')}
        when access.until is not null then least(paid.rank, ${rankOf('complimentary')})
        else coalesce(paid.rank, ${rankOf('listed')}) end as rank,
      coalesce(paid.at, access.granted_at, given.at, (
        select max(submitted_at) from leads where leads.email_normalised = given.address)) as at
    from given left join not_receiving payer on payer.email_normalised = given.address
        and payer.email_normalised = any(array(select address from given))
      left join complimentary_access access on access.email_normalised = given.address and until > now(),
      lateral (select ${TOP_RANK} as rank, max(${BEGAN}) as at from subscriptions
        where email_normalised = given.address) paid
  )`;
/** The same, as `people`, and how many of them are on the list. */
export const judged = (candidates: string) => `
  with ${judge(candidates)}, people as (select * from judged),
  on_list as (select count(*)::int as n from people where ${isOnList('address')})`;

/** All payers whom `given` does not hold, with their rank. Without a time, so that they are counted in an index alone. */
const ALL_PAYERS = `select email_normalised, ${TOP_RANK}, cast(null as timestamptz) from subscriptions
  where email_normalised not in (select address from given) group by email_normalised`;

/** The states that are read from subscriptions alone. */
const OF_PAYERS: PersonState[] = ['trial', 'paying', 'ended'];
const IS_OF_RANK = `:rank in (${OF_PAYERS.map((state) => rankOf(state)).join()}) and :rank = (
  select ${TOP_RANK} from subscriptions where subscriptions.email_normalised = payer.email_normalised)`;

/** The newest of all payers, or of those on a list, in the order of an index. */
function newestPayers(state: PeopleList | undefined): string {
  const isListed =
    state === 'on-list'
      ? isOnList('payer.email_normalised')
      : state === undefined
        ? 'true'
        : IS_OF_RANK;
  return `(select email_normalised, :rank::int, ${BEGAN} from subscriptions payer
    where ${isListed} and email_normalised not in (select address from given) and not exists (
      select from subscriptions later where later.email_normalised = payer.email_normalised
        and (coalesce(later.started_at, later.created_at), later.id) > (coalesce(payer.started_at, payer.created_at), payer.id))
    order by ${BEGAN} desc limit :last)`;
}

/**
 * Judges everybody alike: the few of whom their own subscriptions do not say everything, the newest `:last` of those who never
 * paid, and all others who pay or paid, or the newest. Without `isRanked`, who pays and does not receive is not looked for.
 */
const everybody = (others: string, payers: string, isRanked: boolean) => `
  with ${judge(`
    select email_normalised as address, cast(null as timestamptz) as at from complimentary_access
      where until > now() and ended_at is null
    ${isRanked ? `union all select email_normalised, null from not_receiving` : ''}
    union all (select email_normalised, submitted_at ${others} order by submitted_at desc, id desc limit :last)`)},
  people as (select * from judged union all ${payers}),
  on_list as (select coalesce(sum(subscribers), 0)::int as n from subscriber_counts where status = 'active')`;

type Page = { addresses: string[]; counts: FoundCounts; isCapped: boolean };
type FoundCounts = CallSent<'POST /api/admin/people/search'>['counts'];
type Wanted = { state: PeopleList | undefined; offset: number };

const COUNTS = `coalesce((select json_object_agg(rank, n) from (select rank, count(*) as n from people group by rank) counted), '{}') as ranks,
  (select n from on_list) as on_list`;
type CountsRow = { ranks: Record<string, number>; onList: number };

const toCounts = ({ ranks, onList }: CountsRow) =>
  ({
    ...Object.fromEntries(PERSON_STATES.map((each) => [each, ranks[rankOf(each)] ?? 0])),
    'on-list': onList,
  }) as FoundCounts;

function addressesOf({ state, offset }: Wanted, order: string): Bound {
  // So that few are looked up on the list: in the order of the page, until it is full.
  const from =
    state === 'on-list' ? `(select * from people order by ${order} offset 0) people` : 'people';
  return {
    sql: `array(select address from ${from} where case :state when 'all' then true when 'on-list' then ${isOnList('address')} else rank = :rank end
      order by ${order} limit ${PER_PAGE + 1} offset :offset) as addresses`,
    bindings: {
      offset,
      state: state ?? 'all',
      rank: PERSON_STATES.findIndex((each) => each === state),
    },
  };
}

async function readPage(db: Database, people: Bound, wanted: Wanted, order: string): Promise<Page> {
  const { sql, bindings } = addressesOf(wanted, order);
  const { addresses, ...counts } = await queryOne<Pick<Page, 'addresses'> & CountsRow>(
    db,
    `${people.sql} select ${COUNTS}, ${sql}`,
    { ...people.bindings, ...bindings },
  );
  return { addresses, counts: toCounts(counts), isCapped: false };
}

/** Lists a page of those whom a text finds: payers who do not receive first, in each state the newest first. */
export async function listMatches(db: Database, text: string, wanted: Wanted): Promise<Page> {
  const { sql, bindings } = toMatches(text);
  const page = await readPage(db, { sql: judged(sql), bindings }, wanted, 'rank, at desc, address');
  const found = PERSON_STATES.reduce((sum, each) => sum + page.counts[each], 0);
  return { ...page, isCapped: found > MAX_FOUND };
}

/** Lists those of the addresses that an id of Stripe's is about. */
export async function listGiven(db: Database, addresses: string[], wanted: Wanted): Promise<Page> {
  const sql = judged(
    'select unnest(:addresses::text[]) as address, cast(null as timestamptz) as at',
  );
  return readPage(db, { sql, bindings: { addresses } }, wanted, 'rank, at desc, address');
}

/** Lists a page of everybody, the newest first. */
export async function listNewest(db: Database, wanted: Wanted): Promise<Page> {
  const last = wanted.offset + PER_PAGE + 1;
  const isOfList = wanted.state === 'on-list';
  const others = isOfList ? `${UNPAID} and ${isOnList('leads.email_normalised')}` : LISTED;
  const page = everybody(
    others,
    newestPayers(wanted.state),
    !isOfList && wanted.state !== undefined,
  );
  const { sql, bindings } = addressesOf(wanted, 'at desc, address');
  const [counted, { addresses }, { listed }] = await Promise.all([
    queryOne<CountsRow>(db, `${everybody(others, ALL_PAYERS, true)} select ${COUNTS}`, { last }),
    queryOne<Pick<Page, 'addresses'>>(db, `${page} select ${sql}`, { last, ...bindings }),
    queryOne<{ listed: number }>(
      db,
      `select count(*)::int as listed from (select ${LISTED} limit ${MAX_LISTED + 1}) counted`,
    ),
  ]);
  const counts = { ...toCounts(counted), listed: Math.min(listed, MAX_LISTED) };
  return { addresses, counts, isCapped: listed > MAX_LISTED };
}
