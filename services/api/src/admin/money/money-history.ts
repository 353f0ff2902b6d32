import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { dayBefore, londonDate } from '@site/schema/calendar';
import type { MoneyMonth } from '@site/schema/calls/money-history';
import { readList, readStandingOf } from '../../subscriptions/money-night.repository.ts';
import type { Standing } from '../../subscriptions/money-night.repository.ts';

type Night = Standing & Pick<Row<'money_nights'>, 'onList'> & { day: string };

/**
 * Reads the last months, the oldest first: the nights of each, and this one as it is now. `since` is
 * the first month of which anything is known.
 */
export async function readMonths(
  db: Database,
  clock: Clock,
  count: number,
): Promise<{ months: MoneyMonth[]; since: string | null }> {
  const now = clock.now();
  const months = listMonths(londonDate(now), count);
  const [first, current] = [`${months[0]}-01`, `${months.at(-1)}-01`];
  const span = { after: dayBefore(current), day: null, now };
  const [nights, moved, { since }, today, { onList }] = await Promise.all([
    query<Night>(
      db,
      `select to_char(day, 'YYYY-MM-DD') as day, mrr_pence, payers, new_payers, trials, churned, on_list, by_plan, by_channel
       from money_nights where day >= :first::date and day < :current::date order by day`,
      { first, current },
    ),
    readMoved(db, first),
    queryOne<{ since: string | null }>(
      db,
      `select to_char(min(day), 'YYYY-MM') as since from money_nights`,
    ),
    readStandingOf(db, span, { isPast: false }),
    readList(db, span),
  ]);
  nights.push({ ...today, day: londonDate(now), onList });
  const known = months.map((month) =>
    toMonth(
      month,
      nights.filter(({ day }) => day.startsWith(month)),
      moved.get(month),
    ),
  );
  return { months: known, since };
}

/** Lists the months up to that of a day, `YYYY-MM`. */
function listMonths(day: string, count: number): string[] {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.UTC(year, month - count + n)).toISOString().slice(0, 7),
  );
}

const AMOUNTS = { mrrPence: null, paidPence: null, refundedPence: null, lostPence: null };
const COUNTS = { payers: null, newPayers: null, trials: null, churned: null, onList: null };
const NOT_KNOWN = { ...AMOUNTS, ...COUNTS, byPlan: null, byChannel: null };

const NOTHING: Moved = { paidPence: 0, refundedPence: 0, lostPence: 0 };

/** Adds up a month's nights: what there was at its end, and what happened in it. Without any, only stored payments are known. */
function toMonth(month: string, nights: Night[], moved: Moved | undefined): MoneyMonth {
  const end = nights.at(-1);
  if (!end) return { month, ...NOT_KNOWN, ...moved };
  const { mrrPence, payers, trials, onList } = end;
  const parts = <P extends Part>(of: (night: Night) => P[], keyOf: (part: P) => string | null) =>
    addParts(nights.map(of), keyOf);
  return {
    month,
    mrrPence,
    ...(moved ?? NOTHING),
    payers,
    newPayers: nights.reduce((sum, { newPayers }) => sum + newPayers, 0),
    trials,
    churned: nights.reduce((sum, { churned }) => sum + churned, 0),
    onList,
    byPlan: parts(
      ({ byPlan }) => byPlan,
      ({ plan }) => plan,
    ),
    byChannel: parts(
      ({ byChannel }) => byChannel,
      ({ channel }) => channel,
    ),
  };
}

type Part = { mrrPence: number | null; payers: number; trials: number; churned: number };

/** Takes the parts of the last night, with the cancellations of all. A part that has gone has only those. */
function addParts<P extends Part>(nights: P[][], keyOf: (part: P) => string | null): P[] {
  const found = new Map<string | null, P>();
  for (const part of nights.flat()) {
    const churned = (found.get(keyOf(part))?.churned ?? 0) + part.churned;
    found.set(keyOf(part), { ...part, mrrPence: 0, payers: 0, trials: 0, churned });
  }
  for (const part of nights.at(-1) ?? []) {
    found.set(keyOf(part), { ...part, churned: found.get(keyOf(part))?.churned ?? 0 });
  }
  return [...found.values()];
}

type Moved = { paidPence: number; refundedPence: number; lostPence: number };

/**
 * Adds up what moved in each month from a day on. Payments are counted by day as they are stored. Money that went back is far
 * less, and is added up. A month in which nothing moved is left out.
 */
async function readMoved(db: Database, first: string): Promise<Map<string, Moved>> {
  const rows = await query<Moved & { month: string }>(
    db,
    `select to_char(day, 'YYYY-MM') as month, coalesce(sum(pence) filter (where kind = 'payment'), 0)::bigint as paid_pence,
       coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)::bigint as refunded_pence,
       coalesce(-sum(pence) filter (where kind in ('lost dispute', 'won dispute')), 0)::bigint as lost_pence
     from (
       select day, 'payment' as kind, payments as times, paid_pence as pence from payment_counts where day >= :first::date
       union all
       select (at at time zone 'Europe/London')::date, kind, 1, pence from payments
       where kind <> 'payment' and currency = 'gbp' and at >= midnight(:first::date)
     ) moved group by 1 having sum(times) > 0`,
    { first },
  );
  return new Map(rows.map(({ month, ...moved }) => [month, moved]));
}
