import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { FUNNEL_OTHERS, FUNNEL_ROWS, MAX_FUNNEL_LEADS } from '@site/schema/calls/overview';
import type { CallSent } from '@site/schema/calls/calls';
import { readList } from '../../subscriptions/money-night.repository.ts';
import { bind, PEOPLE } from '../money/money-people.ts';
import { readReasons, readTrials } from '../money/money-outcomes.repository.ts';
import { readFigure, readHeld } from '../money/money-figures.repository.ts';
import { daysOf } from './overview-days.ts';
import type { Days } from './overview-days.ts';

type Overview = CallSent<'GET /api/admin/overview'>;

/** Reads the figures of the overview. Each that opens a list is counted from the statement of that list, or by a trigger on its rows. */
export async function readOverview(db: Database, now: Date): Promise<Overview> {
  const { month, before, lastMonthEnd, week, funnel } = daysOf(now);
  const [
    { reasons, ...flows },
    { reasons: _, ...flowsBefore },
    mrr,
    list,
    night,
    charges,
    trials,
    steps,
  ] = await Promise.all([
    readFlows(db, month, now),
    readFlows(db, before, now),
    readFigure(db, 'mrr', { now }),
    readList(db, { after: lastMonthEnd, day: null, now }),
    db('money_nights').where('day', lastMonthEnd).first('mrrPence', 'onList'),
    readCharges(db, { ...week, now }),
    readTrials(db, { ...funnel, now }),
    readFunnel(db, funnel),
  ]);
  return {
    month: flows,
    monthBefore: flowsBefore,
    reasons,
    mrr,
    list: { onList: list.onList ?? 0, left: list.listLeft ?? 0 },
    atMonthStart: { mrrPence: night?.mrrPence ?? null, onList: night?.onList ?? null },
    week: charges,
    trials,
    funnel: steps,
  };
}

async function readFlows(
  db: Database,
  days: Days,
  now: Date,
): Promise<Overview['month'] & Pick<Overview, 'reasons'>> {
  const [newPayers, held, reasons, { paidPence, refundedPence, lostPence }] = await Promise.all([
    readFigure(db, 'new-payers', { ...days, now }),
    readHeld(db, { ...days, now }),
    readReasons(db, PEOPLE.cancelled, { ...days, now }),
    readMoney(db, days, now),
  ]);
  const cancelled = reasons.reduce((sum, { count }) => sum + count, 0);
  return {
    ...days,
    ...held,
    paidPence,
    refundedPence,
    lostPence,
    newPayers: newPayers.count,
    cancelled,
    reasons,
  };
}

export type MoneyIn = {
  payments: number;
  paidPence: number;
  refunds: number;
  refundedPence: number;
  lostPence: number;
};

export async function readMoney(db: Database, days: Days, now: Date): Promise<MoneyIn> {
  return queryOne(
    db,
    `select * from (
         select coalesce(sum(payments), 0)::int as payments, coalesce(sum(paid_pence), 0)::bigint as paid_pence
         from payment_counts where day between :startDate::date and :endDate::date
       ) paid, (
         select count(*) filter (where kind = 'refund' and pence < 0)::int as refunds,
           coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)::bigint as refunded_pence,
           coalesce(-sum(pence) filter (where kind in ('lost dispute', 'won dispute')), 0)::bigint as lost_pence
         from payments where kind <> 'payment' and currency = 'gbp' and at >= :from and at < :to
       ) returned`,
    { ...days, ...bind({ ...days, now }) },
  );
}

/** Reads what is charged on each of the days from now on: ends of trials, and renewals. */
export async function readCharges(
  db: Database,
  days: Days & { now: Date },
): Promise<Overview['week']> {
  return query(
    db,
    `select to_char(day, 'YYYY-MM-DD') as day, count(trial)::int as trials, count(at)::int - count(trial)::int as renewals,
       coalesce(sum(pence), 0)::bigint as pence
     from generate_series(:startDate::timestamp, :endDate::timestamp, interval '1 day') day left join (
       select at, pence, true as trial from (${PEOPLE['trials-due']}) ends
       union all select at, pence, null from (${PEOPLE['renewals-due']}) renewals
     ) charged on (at at time zone 'Europe/London')::date = day::date
     group by day order by day`,
    { ...days, ...bind(days) },
  );
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
  const of = (wanted: StepRow['part']) => rows.filter(({ part }) => part === wanted);
  const rowsOf = (part: StepRow['part']) =>
    of(part).map(({ part: _, inTrial: __, isCapped: ___, ...row }) => row);
  const [all] = of('all');
  if (!all) throw new Error('an aggregate has no row');
  const { part: _, name: __, ...steps } = all;
  return {
    ...days,
    ...steps,
    channels: rowsOf('channel'),
    buttons: rowsOf('button'),
  };
}
