import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { CallSent } from '@site/schema/calls/calls';
import type { MoneyPeriod, MoneyMonth, moneyPeopleQuery } from '@site/schema/calls/money';
import type { Clock } from '@site/platform/process/clock';
import { dayBefore, londonDate, dayAfter } from '@site/schema/calendar';
import { readStandingOf } from '../../subscriptions/money-night.repository.ts';
import {
  PERIOD_LISTS,
  ROWS_PER_PAGE,
  FUNNEL_DAYS,
  FUNNEL_OTHERS,
  FUNNEL_ROWS,
  MAX_FUNNEL_LEADS,
} from '@site/schema/calls/money';
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
    `select plan, price_pence as price, count(*)::int as count, coalesce(round(sum(monthly_pence)), 0)::bigint as pence,
       'gbp' as currency, grouping(plan) = 1 as is_total
     from subscriptions where status in ('active', 'past_due') and price_pence > 0 and not is_collection_paused group by grouping sets ((), (1, 2)) order by is_total, pence desc, 1, 2`,
  );
  const toPrice = ({ isTotal: _, ...row }: (typeof rows)[number]) => row;
  const { count, pence } = rows.at(-1) ?? { count: 0, pence: 0 };
  return {
    prices: rows.filter(({ isTotal }) => !isTotal).map(toPrice),
    mrr: { count, pence, currency: 'gbp' },
  };
}

/** Binds a period from the start of its first London day to the end of its last, as Postgres reads times. */
export const bindPeriod = ({ startDate, endDate }: MoneyPeriod) => ({
  from: startDate ? `${startDate} 00:00 Europe/London` : '-infinity',
  to: endDate ? `${endDate} 24:00 Europe/London` : 'infinity',
});

type Amount = 'moneyIn' | 'disputed' | 'refunded' | 'lost' | 'mrr';
type MonthRow = Record<Amount, number | null> & Omit<MoneyMonth, Amount>;

const pounds = (pence: number | null) => (pence === null ? null : { pence, currency: 'gbp' });

/**
 * Reads the last months, the oldest first. Amounts are summed from their rows. New and lost payers
 * come from each month's nights, so that an erasure changes no closed month; this month's are as of
 * now. `since` is the first month with a night.
 */
export async function readMonths(
  db: Database,
  clock: Clock,
  count: number,
): Promise<{ months: MoneyMonth[]; since: string | null }> {
  const now = clock.now();
  const current = `${londonDate(now).slice(0, 7)}-01`;
  const span = { after: dayBefore(current), day: null, now };
  const [rows, today, { since }] = await Promise.all([
    query<MonthRow>(
      db,
      `with months as (
         select month::date as first, (month + interval '1 month')::date as next
         from generate_series(:current::timestamp - (:count - 1) * interval '1 month', :current, interval '1 month') month
       ), moved as (
         -- A month at a time: to take the month from each payment is twice as slow.
         select first, sums.* from months cross join lateral (
           select currency, sum(pence)::bigint as money_in,
             coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)::bigint as refunded,
             coalesce(-sum(pence) filter (where kind in ('lost dispute', 'won dispute')), 0)::bigint as lost
           from payments where at >= midnight(first) and at < midnight(next) group by currency
         ) sums
       ), contested as (
         select first, sum(pence)::bigint as disputed from months
           join disputed_payments on at >= midnight(first) and at < midnight(next)
         where currency = 'gbp' group by 1
       ), nights as (
         select first, (array_agg(mrr_pence order by day desc))[1] as mrr, (array_agg(payers order by day desc))[1] as payers,
           sum(new_payers)::int as new_payers, sum(churned)::int as cancelled
         from months join money_nights on day >= first and day < next group by 1
       )
       select to_char(months.first, 'YYYY-MM') as month, coalesce(money_in, known) as money_in,
         coalesce(disputed, known) as disputed,
         coalesce(refunded, known) as refunded, coalesce(lost, known) as lost, mrr, new_payers, cancelled, payers,
         array(
           select json_build_object('pence', other.money_in, 'currency', other.currency)
           from moved other where other.first = months.first and other.currency <> 'gbp' order by other.currency
         ) as left_out
       from months left join moved on moved.first = months.first and moved.currency = 'gbp' left join nights on nights.first = months.first
         left join contested on contested.first = months.first
         -- A month with a night in which nothing moved had nothing.
         cross join lateral (
           select case when nights.payers is not null or moved.first is not null or months.first = :current::date then 0 end as known
         ) each
       order by months.first`,
      { current, count },
    ),
    readStandingOf(db, span, { isPast: false }),
    queryOne<{ since: string | null }>(
      db,
      `select to_char(min(day), 'YYYY-MM') as since from money_nights`,
    ),
  ]);
  const { mrrPence: mrr, payers, newPayers, churned: cancelled } = today;
  const last = rows.at(-1);
  if (last) Object.assign(last, { mrr, payers, newPayers, cancelled });
  const months = rows.map(({ moneyIn, disputed, refunded, lost, mrr: each, ...row }) => ({
    ...row,
    moneyIn: pounds(moneyIn),
    disputed: pounds(disputed),
    refunded: pounds(refunded),
    lost: pounds(lost),
    mrr: pounds(each),
  }));
  return { months, since };
}

type People = CallSent<'GET /api/admin/money/people'>;
type PersonRow = Omit<People['people'][number], 'amount' | 'dashboardUrl'> & {
  id: string | null;
  place: string;
  pence: number;
  count: number;
  totalPence: number;
};

/**
 * Their dates lie ahead, so the next comes first; elsewhere the latest does. Rows without a date
 * are last.
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
       select r.stripe_subscription_id, r.at, r.pence, s.id as key, s.email, s.name, s.lead_id, s.plan,
         r.stripe_subscription_id || ' ' || r.entry as id,
         coalesce(case when :isAhead then r.at else to_timestamp(-extract(epoch from r.at)) end, 'infinity') as sort
       from money_rows r join subscriptions s using (stripe_subscription_id)
       where r.list = :of and (not :isOfPeriod or r.at >= :from::timestamptz and r.at < :to::timestamptz)
         and (:plan::text is null or s.plan = :plan) and (:price::integer is null or s.price_pence = :price)
     )
     select page.id, stripe_subscription_id, email, name, lead_id, plan, at, round(page.pence)::bigint as pence,
       (select shown.stage from shown_stages shown where shown.id = page.key) as stage,
       case when isfinite(sort) then ${placeOf('sort')} else 'infinity' end as place, total.count, total.pence as total_pence
     from (select count(*)::int as count, coalesce(round(sum(pence)), 0)::bigint as pence from listed) total left join (
       select * from listed where :placeAt::timestamptz is null or (sort, id) > (:placeAt, :placeId)
       order by sort, id limit :limit
     ) page on true order by sort, page.id`,
    {
      of,
      isAhead: AHEAD.includes(of),
      isOfPeriod: PERIOD_LISTS.some((list) => list === of),
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
 * Reads the charges of the next days, and the funnel of visitors. Each number of the funnel counts
 * the list that it opens.
 */
export async function readOverview(db: Database, now: Date): Promise<Overview> {
  const today = londonDate(now);
  const [week, funnel] = await Promise.all([
    readWeek(db, dayAfter(today, 1)),
    readFunnel(db, { startDate: dayAfter(today, 1 - FUNNEL_DAYS), endDate: today }),
  ]);
  return { week, funnel };
}

/** Reads the charges of seven London days: ends of trials, and renewals. */
export async function readWeek(db: Database, startDate: string): Promise<Overview['week']> {
  const days = { startDate, endDate: dayAfter(startDate, 6) };
  const charged = await queryOne<{ trials: number; renewals: number; pence: number }>(
    db,
    `select count(*) filter (where status = 'trialing')::int as trials, count(*) filter (where status = 'active')::int as renewals,
       coalesce(sum(amount_pence), 0)::bigint as pence
     from (
       select status, amount_pence, cancel_at, trial_ends_at as at, is_collection_paused from subscriptions
       where status = 'trialing' and trial_ends_at >= :from and trial_ends_at < :to
       union all
       select status, amount_pence, cancel_at, period_ends_at, is_collection_paused from subscriptions
       where status = 'active' and period_ends_at >= :from and period_ends_at < :to
     ) due where amount_pence > 0 and not is_collection_paused and (cancel_at is null or cancel_at > at)`,
    bindPeriod(days),
  );
  return { ...days, ...charged, currency: 'gbp' };
}

type Step = Omit<Overview['funnel']['channels'][number], 'name'>;
type StepRow = Step & {
  part: 'all' | 'channel' | 'button';
  name: string;
  inTrial: number;
  isCapped: boolean;
};

async function readFunnel(db: Database, days: Days): Promise<Overview['funnel']> {
  const rows = await query<StepRow>(
    db,
    `select case when grouping(channel) = 0 then 'channel' when grouping(button) = 0 then 'button' else 'all' end as part,
       coalesce(channel, button, '') as name, count(*)::int as people, count(*) filter (where checkout)::int as checkouts,
       count(*) filter (where trial)::int as trials, count(*) filter (where paying)::int as paying,
       count(*) filter (where in_trial)::int as in_trial, coalesce(round(sum(monthly)), 0)::bigint as monthly_pence,
       exists (select from leads where submitted_at >= midnight(:startDate::date) offset :most limit 1) as is_capped
     from funnel(:startDate::date, :endDate::date, :most, :rows) group by grouping sets ((), (channel), (button))
     order by coalesce(channel, button, '') = :others, people desc, 2`,
    { ...days, most: MAX_FUNNEL_LEADS, rows: FUNNEL_ROWS, others: FUNNEL_OTHERS },
  );
  const rowsOf = (wanted: StepRow['part']) =>
    rows.flatMap(({ part, inTrial: _, isCapped: __, ...row }) => (part === wanted ? row : []));
  const all = rows.find(({ part }) => part === 'all');
  if (!all) throw new Error('an aggregate has no row');
  const { part: _, name: __, ...steps } = all;
  return { ...days, ...steps, channels: rowsOf('channel'), buttons: rowsOf('button') };
}
