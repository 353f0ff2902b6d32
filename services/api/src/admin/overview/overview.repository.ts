import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { dayAfter, londonDate } from '@site/schema/calendar';
import {
  FUNNEL_DAYS,
  FUNNEL_OTHERS,
  FUNNEL_ROWS,
  MAX_FUNNEL_LEADS,
} from '@site/schema/calls/overview';
import type { CallSent } from '@site/schema/calls/calls';
import { bindPeriod } from '../money/money.repository.ts';

type Overview = CallSent<'GET /api/admin/overview'>;
type Days = { startDate: string; endDate: string };

/**
 * Reads the charges of the next days, and the funnel of visitors. Each number of the funnel counts
 * the list that it opens.
 */
export async function readOverview(db: Database, now: Date): Promise<Overview> {
  const today = londonDate(now);
  const [week, funnel] = await Promise.all([
    readWeek(db, now),
    readFunnel(db, { startDate: dayAfter(today, 1 - FUNNEL_DAYS), endDate: today }),
  ]);
  return { week, funnel };
}

/** Reads the charges from now to the end of the sixth day after: ends of trials, and renewals. */
export async function readWeek(db: Database, now: Date): Promise<Overview['week']> {
  const startDate = londonDate(now);
  const days = { startDate, endDate: dayAfter(startDate, 6) };
  const charged = await queryOne<{ trials: number; renewals: number; pence: number }>(
    db,
    `select count(*) filter (where status = 'trialing')::int as trials, count(*) filter (where status = 'active')::int as renewals,
       coalesce(sum(amount_pence), 0)::bigint as pence
     from (
       select status, amount_pence, cancel_at, trial_ends_at as at, is_collection_paused from subscriptions
       where status = 'trialing' and trial_ends_at >= :now and trial_ends_at < :to
       union all
       select status, amount_pence, cancel_at, period_ends_at, is_collection_paused from subscriptions
       where status = 'active' and period_ends_at >= :now and period_ends_at < :to
     ) due where amount_pence > 0 and not is_collection_paused and (cancel_at is null or cancel_at > at)`,
    { now, to: bindPeriod(days).to },
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
