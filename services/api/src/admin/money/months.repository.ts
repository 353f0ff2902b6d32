import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Clock } from '@site/platform/process/clock';
import { londonDate } from '@site/schema/calendar';
import type { MoneyMonth } from '@site/schema/calls/money';
import { MONTH_FIGURES } from '@site/schema/calls/money-figures';
import type { FigureName } from '@site/schema/calls/money-figures';
import { countPayers } from '../../billing/watch/money-night.repository.ts';
import { readPrices } from './money.repository.ts';

type ListSum = { month: string; list: string; currency: string; count: number; pence: number };
/** The lists of income, by which a month is known even without a night. */
const MONEY_IN = ['paid', 'refunded', 'lost'];
type Night = { month: string; mrr: number | null; payers: number | null };

/**
 * Reads the last months, the oldest first. A figure is the sum or the count of its rows. MRR and
 * payers are from the month's last night, or from now for this month. `since` is the first month
 * with a night.
 */
export async function readMonths(
  db: Database,
  clock: Clock,
  count: number,
): Promise<{ months: MoneyMonth[]; since: string | null }> {
  const current = londonDate(clock.now()).slice(0, 7);
  const span = { first: `${current}-01`, count };
  const [nights, figures, fees, { mrr }, payers, { since }] = await Promise.all([
    query<Night>(
      db,
      `select to_char(month, 'YYYY-MM') as month, mrr_pence as mrr, payers
       from generate_series(
         :first::timestamp - (:count - 1) * interval '1 month', :first, interval '1 month'
       ) month left join lateral (
         select mrr_pence, payers from money_nights
         where day >= month::date and day < (month + interval '1 month')::date
         order by day desc limit 1
       ) night on true
       order by month`,
      span,
    ),
    // One month at a time. Computing the month of each payment is twice as slow.
    query<ListSum>(
      db,
      `select to_char(month, 'YYYY-MM') as month, figure.*
       from generate_series(
         :first::timestamp - (:count - 1) * interval '1 month', :first, interval '1 month'
       ) month cross join lateral (
         select list, currency, count(*)::int as count, sum(pence)::bigint as pence
         from money_rows
         where list = any(:lists) and at >= midnight(month::date)
           and at < midnight((month + interval '1 month')::date)
         group by list, currency
       ) figure
       order by currency`,
      { ...span, lists: MONTH_FIGURES.flatMap(({ list, of }) => (of ? [] : (list ?? []))) },
    ),
    query<{ month: string; fees: number }>(
      db,
      `select to_char(month, 'YYYY-MM') as month, paid.fees
       from generate_series(
         :first::timestamp - (:count - 1) * interval '1 month', :first, interval '1 month'
       ) month cross join lateral (
         select coalesce(sum(fee_pence), 0)::bigint as fees
         from stripe_invoices
         where paid_pence > 0 and currency = 'gbp' and paid_at >= midnight(month::date)
           and paid_at < midnight((month + interval '1 month')::date)
         having count(*) = count(fee_pence)
       ) paid`,
      span,
    ),
    readPrices(db),
    countPayers(db),
    queryOne<{ since: string | null }>(
      db,
      `select to_char(min(day), 'YYYY-MM') as since from money_nights`,
    ),
  ]);
  const months = nights.map((night) =>
    toMonth(
      night.month === current ? { month: current, mrr: mrr.pence, payers } : night,
      figures.filter(({ month }) => month === night.month),
      fees.find(({ month }) => month === night.month)?.fees ?? null,
    ),
  );
  return { months, since };
}

/** Builds a month. Without a night, it has only the known amounts, and no payers. */
function toMonth({ month, mrr, payers }: Night, rows: ListSum[], fees: number | null): MoneyMonth {
  const inPounds = rows.filter(({ currency }) => currency === 'gbp');
  const known = readFigures(inPounds, { mrr, payers });
  const moneyIn = known['moneyIn'] ?? null;
  const figures = MONTH_FIGURES.map(({ name, shows }) => {
    const value = known[name] ?? null;
    return [name, shows === 'pence' ? pounds(value) : value];
  });
  const others = new Set(rows.map(({ currency }) => currency).filter((other) => other !== 'gbp'));
  return {
    ...(Object.fromEntries(figures) as Pick<MoneyMonth, FigureName>),
    afterFees: fees === null || moneyIn === null ? null : pounds(moneyIn - fees),
    month,
    leftOut: [...others].map((currency) => {
      const other = readFigures(rows.filter((row) => row.currency === currency));
      return { pence: other['moneyIn'] ?? 0, currency };
    }),
  };
}

type Figures = Record<string, number | null>;

/** Returns a month's figures in one currency, in pence or as counts. */
function readFigures(rows: ListSum[], night: Figures = {}): Figures {
  const hasNight = (night['payers'] ?? null) !== null;
  const isKnown = hasNight || rows.some(({ list }) => MONEY_IN.includes(list));
  const figures = { ...night };
  for (const { name, list, shows, needsNight = false, from = [], of } of MONTH_FIGURES) {
    const others = from.flatMap((other) => figures[other] ?? []);
    if (of) figures[name] = others.length < from.length ? null : of(...others);
    else if (list !== undefined) {
      const row = rows.find((sum) => sum.list === list);
      figures[name] = (needsNight ? hasNight : isKnown) ? (row?.[shows] ?? 0) : null;
    }
  }
  return figures;
}

const pounds = (pence: number | null) => (pence === null ? null : { pence, currency: 'gbp' });
