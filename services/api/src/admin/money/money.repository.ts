import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { FUNNEL_OTHERS, SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { CallSent } from '@site/schema/calls/calls';
import type { FunnelPart } from '@site/schema/funnel';
import type { MoneyPeriod, moneyPeopleQuery } from '@site/schema/calls/money';
import { FUNNEL_DAYS, FUNNEL_ROWS, MAX_FUNNEL_LEADS } from '@site/schema/calls/overview';
import { londonDate, dayAfter } from '@site/schema/calendar';
import { endOf } from '../../billing/watch/money-night.repository.ts';
import { ROWS_PER_PAGE } from '@site/schema/calls/money';
import { PERIOD_LISTS } from '@site/schema/calls/money-figures';
import type { z } from 'zod';
import { parseCursor, placeOf, toCursor } from '../../http/cursor.ts';
import { toDashboardUrl } from '../../stripe/stripe.client.ts';

type Money = CallSent<'GET /api/admin/money'>;

export async function countStages(db: Database): Promise<Money['stages']> {
  const rows = await db('subscriptions')
    .groupBy('stage')
    .select('stage')
    .count<{ stage: string; count: number }[]>();
  const counts = new Map(rows.map(({ stage, count }) => [stage, count]));
  return Object.fromEntries(
    SUBSCRIPTION_STAGES.map((stage) => [stage, counts.get(stage) ?? 0]),
  ) as Money['stages'];
}

/** Reads the subscriptions in the MRR, by plan and price, and their sum, rounded once. */
export async function readPrices(db: Database): Promise<Pick<Money, 'prices' | 'mrr'>> {
  const rows = await query<Money['prices'][number] & { isTotal: boolean }>(
    db,
    `select plan, price_pence as price, count(*)::int as count,
       coalesce(round(sum(mrr_pence)), 0)::bigint as pence, 'gbp' as currency,
       grouping(plan) = 1 as is_total
     from subscriptions
     where mrr_pence is not null
     group by grouping sets ((), (1, 2))
     order by is_total, pence desc, 1, 2`,
  );
  const toPrice = ({ isTotal: _, ...row }: (typeof rows)[number]) => row;
  const { count, pence } = rows.at(-1) ?? { count: 0, pence: 0 };
  return {
    prices: rows.filter(({ isTotal }) => !isTotal).map(toPrice),
    mrr: { count, pence, currency: 'gbp' },
  };
}

/**
 * Converts a period to times for Postgres, from the start of its first London day to the end of its
 * last.
 */
export const bindPeriod = ({ startDate, endDate }: MoneyPeriod) => ({
  from: startDate ? `${startDate} 00:00 Europe/London` : '-infinity',
  to: endDate ? endOf(endDate) : 'infinity',
});

type People = CallSent<'GET /api/admin/money/people'>;
type PersonRow = Omit<People['people'][number], 'amount' | 'dashboardUrl'> & {
  id: string | null;
  place: string;
  pence: number;
  count: number;
  totalPence: number;
};

/**
 * Stages whose dates lie ahead, so the next comes first. In other lists the latest comes first.
 * Rows without a date come last.
 */
const AHEAD = ['trial', 'paying', 'ending', 'dunning'];

/**
 * Lists one page of the rows of a figure or a stage, and the sum of all, rounded to a penny once.
 */
export async function listPeople(
  db: Database,
  { of, plan, price, cursor, ...period }: z.output<typeof moneyPeopleQuery>,
  stripeKey: string,
): Promise<People> {
  const place = parseCursor(cursor);
  const { from, to } = bindPeriod(period);
  const found = await query<PersonRow>(
    db,
    `with listed as materialized (
       select r.stripe_subscription_id, r.pence, s.id as key, s.email, s.name, s.lead_id, s.plan,
         r.stripe_subscription_id || ' ' || r.entry as id,
         coalesce(r.at, case when :isAhead then 'infinity'::timestamptz else '-infinity' end) as at
       from money_rows r join subscriptions s using (stripe_subscription_id)
       where r.list = :of and r.currency = 'gbp'
         and (not :isOfPeriod or r.at >= :from::timestamptz and r.at < :to::timestamptz)
         and (:plan::text is null or s.plan = :plan)
         and (:price::integer is null or s.price_pence = :price)
     ), sorted as (
       select *, row_number() over (
         order by
           case when :isAhead then at end, case when :isAhead then id end,
           at desc, id desc
       ) as nth
       from listed
     )
     select page.id, stripe_subscription_id, email, name, lead_id, plan,
       case when isfinite(at) then at end as at, round(page.pence)::bigint as pence,
       (select shown.stage from shown_subscription_stages shown where shown.id = page.key) as stage,
       case when isfinite(at) then ${placeOf('at')} else at::text end as place,
       total.count, total.pence as total_pence
     from (
       select count(*)::int as count, coalesce(round(sum(pence)), 0)::bigint as pence from listed
     ) total left join (
       select * from sorted
       where :placeAt::timestamptz is null
         or :isAhead and (at, id) > (:placeAt, :placeId)
         or not :isAhead and (at, id) < (:placeAt, :placeId)
       order by nth limit :limit
     ) page on true
     order by nth`,
    {
      of,
      isAhead: AHEAD.includes(of),
      isOfPeriod: of in PERIOD_LISTS,
      from,
      to,
      plan: plan ?? null,
      price: price ?? null,
      placeAt: place?.at ?? null,
      placeId: place?.id ?? null,
      limit: ROWS_PER_PAGE + 1,
    },
  );
  const { count = 0, totalPence = 0 } = found[0] ?? {};
  const rows = found.filter(({ id }) => id !== null);
  const shown = rows.slice(0, ROWS_PER_PAGE);
  const last = rows.length > ROWS_PER_PAGE ? shown.at(-1) : undefined;
  return {
    people: shown.map(({ id: _, place: __, count: ___, totalPence: ____, pence, ...row }) => ({
      ...row,
      amount: { pence, currency: 'gbp' },
      dashboardUrl: toDashboardUrl(stripeKey, row.stripeSubscriptionId),
    })),
    nextCursor: toCursor(last ? { at: last.place, id: last.id ?? '' } : null),
    total: { count, pence: totalPence, currency: 'gbp' },
  };
}

type Overview = CallSent<'GET /api/admin/overview'>;
type Days = { startDate: string; endDate: string };

/**
 * Reads the charges of the next days, and the funnel of a period. Each of the funnel's numbers
 * counts the list that it opens.
 */
export async function readOverview(
  db: Database,
  now: Date,
  period: MoneyPeriod,
): Promise<Overview> {
  const today = londonDate(now);
  const { endDate = today, startDate = dayAfter(endDate, 1 - FUNNEL_DAYS) } = period;
  const [week, cancelledTrials, funnel] = await Promise.all([
    readWeek(db, dayAfter(today, 1)),
    countCancelledTrials(db, today),
    readFunnel(db, { startDate, endDate }),
  ]);
  return { week, cancelledTrials, funnel };
}

/** Counts this month's cancelled trials, and the reasons that Stripe collected. */
async function countCancelledTrials(
  db: Database,
  today: string,
): Promise<Overview['cancelledTrials']> {
  const rows = await query<{ reason: string | null; count: number }>(
    db,
    `select cancellation_feedback as reason, count(*)::int as count
     from money_rows
       join subscriptions using (stripe_subscription_id)
     where list = 'cancelled-trials' and at >= midnight(:first::date)
       and at < midnight((:first::date + interval '1 month')::date)
     group by 1
     order by 2 desc, 1`,
    { first: `${today.slice(0, 7)}-01` },
  );
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    reasons: rows.flatMap(({ reason, count }) => (reason === null ? [] : { reason, count })),
  };
}

/** Reads the charges of seven London days: ends of trials, and renewals. */
export async function readWeek(db: Database, startDate: string): Promise<Overview['week']> {
  const days = { startDate, endDate: dayAfter(startDate, 6) };
  const charged = await queryOne<{ trials: number; renewals: number; pence: number }>(
    db,
    `select count(*) filter (where kind = 'trial')::int as trials,
       count(*) filter (where kind = 'renewal')::int as renewals,
       coalesce(sum(amount_pence), 0)::bigint as pence
     from coming_charges
     where at >= :from and at < :to`,
    bindPeriod(days),
  );
  return { ...days, ...charged, currency: 'gbp' };
}

type FunnelRow = Overview['funnel']['channels'][number];
type Step = Omit<FunnelRow, 'name' | 'visits'>;
type StepRow = Step & {
  part: FunnelPart | 'all';
  name: string;
  inTrial: number;
  countedSince: string | null;
};

async function readFunnel(db: Database, days: Days): Promise<Overview['funnel']> {
  const rows = await query<StepRow>(
    db,
    `select case when grouping(channel) = 0 then 'channel' when grouping(button) = 0 then 'button'
       when grouping(campaign) = 0 then 'campaign' else 'all' end as part,
       coalesce(channel, button, campaign, '') as name, count(*)::int as people,
       count(*) filter (where checkout)::int as checkouts,
       count(*) filter (where trial)::int as trials, count(*) filter (where paying)::int as paying,
       count(*) filter (where in_trial)::int as in_trial,
       coalesce(round(sum(monthly)), 0)::bigint as monthly_pence,
       (
         select iso(min(submitted_at))
         from (
           select submitted_at
           from leads
           where submitted_at >= midnight(:startDate::date)
             and submitted_at < midnight(:endDate::date + 1)
           order by submitted_at desc
           limit :most + 1
         ) newest
         having count(*) > :most
       ) as counted_since
     from funnel(:startDate::date, :endDate::date, :most, :rows)
     group by grouping sets ((), (channel), (button), (campaign))
     order by coalesce(channel, button, campaign, '') = :others, people desc, 2`,
    { ...days, most: MAX_FUNNEL_LEADS, rows: FUNNEL_ROWS, others: FUNNEL_OTHERS },
  );
  const visits = await countVisits(
    db,
    days,
    rows.map(({ part, name }) => `${part} ${name}`),
  );
  const visitsOf = (wanted: string, ofName: string) =>
    visits.find(({ part, name }) => part === wanted && name === ofName)?.count ?? 0;
  const rowsOf = (wanted: FunnelPart): FunnelRow[] => {
    const found = rows.flatMap(({ part, inTrial: _, countedSince: __, ...row }) =>
      part === wanted
        ? { ...row, visits: part === 'button' ? null : visitsOf(part, row.name) }
        : [],
    );
    const others = visitsOf(wanted, FUNNEL_OTHERS);
    return others === 0 || found.some(({ name }) => name === FUNNEL_OTHERS)
      ? found
      : [...found, { ...NOBODY, name: FUNNEL_OTHERS, visits: others }];
  };
  const all = rows.find(({ part }) => part === 'all');
  if (!all) throw new Error('an aggregate has no row');
  const { part: _, name: __, ...steps } = all;
  return {
    ...days,
    ...steps,
    visits: visitsOf('page', FUNNEL_OTHERS),
    channels: rowsOf('channel'),
    buttons: rowsOf('button'),
    campaigns: rowsOf('campaign'),
  };
}

const NOBODY: Step = { people: 0, checkouts: 0, trials: 0, paying: 0, monthlyPence: 0 };

/** Counts the visits of some days by part and name. Names that are not `named` are the others. */
function countVisits(
  db: Database,
  days: Days,
  named: string[],
): Promise<{ part: string; name: string; count: number }[]> {
  return query(
    db,
    `select part, case when part || ' ' || name = any(:named) then name else :others end as name,
       sum(count)::int as count
     from visits
     where day between :startDate and :endDate
     group by 1, 2`,
    { ...days, named, others: FUNNEL_OTHERS },
  );
}
