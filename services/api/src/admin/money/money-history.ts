import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { dayBefore, londonDate } from '@site/schema/calendar';
import type { MoneyMonth } from '@site/schema/calls/money';
import { readStandingOf } from '../../subscriptions/money-night.repository.ts';

type Row = Record<'moneyIn' | 'refunded' | 'lost' | 'mrr', number | null> &
  Omit<MoneyMonth, 'moneyIn' | 'refunded' | 'lost' | 'mrr'>;

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
    query<Row>(
      db,
      `with months as (
         select month::date as first, (month + interval '1 month')::date as next
         from generate_series(:current::timestamp - (:count - 1) * interval '1 month', :current, interval '1 month') month
       ), moved as (
         select date_trunc('month', at at time zone 'Europe/London')::date as first, sum(pence)::bigint as money_in,
           coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)::bigint as refunded,
           coalesce(-sum(pence) filter (where kind in ('lost dispute', 'won dispute')), 0)::bigint as lost
         from payments where currency = 'gbp' and at >= midnight((select min(first) from months)) group by 1
       ), nights as (
         select first, (array_agg(mrr_pence order by day desc))[1] as mrr, (array_agg(payers order by day desc))[1] as payers,
           sum(new_payers)::int as new_payers, sum(churned)::int as cancelled
         from months join money_nights on day >= first and day < next group by 1
       )
       select to_char(first, 'YYYY-MM') as month, coalesce(money_in, known) as money_in,
         coalesce(refunded, known) as refunded, coalesce(lost, known) as lost, mrr, new_payers, cancelled, payers
       from months left join moved using (first) left join nights using (first)
         -- A month with a night in which nothing moved had nothing.
         cross join lateral (
           select case when nights.payers is not null or moved.first is not null or first = :current::date then 0 end as known
         ) each
       order by first`,
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
  const months = rows.map(({ moneyIn, refunded, lost, mrr: each, ...row }) => ({
    ...row,
    moneyIn: pounds(moneyIn),
    refunded: pounds(refunded),
    lost: pounds(lost),
    mrr: pounds(each),
  }));
  return { months, since };
}
