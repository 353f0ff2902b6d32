import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import { countUpTo } from '../admin/leads/lead-filter.ts';
import { bindPeriod, readWeek } from '../admin/money/money.repository.ts';
import { overviewUrl, toSection } from './attention-mail.ts';
import {
  addDays,
  dayAfter,
  endOfLondonDay,
  formatLongDate,
  londonDate,
} from '@site/schema/calendar';
import { formatMoney } from '@site/schema/money';
import { formatPence, OFFER } from '@site/schema/offer';
import type { MailBody, MailRow, MailSection } from '@site/platform/database/tables';
import type { Alert } from '@site/platform/notices/find-alerts';
import type { Matter } from '@site/platform/notices/notices';
import { listAttention } from '../admin/money/attention-list.ts';
import type { Attention, AttentionSettings } from '../admin/money/attention-list.ts';
import type { ApiSettings } from '../settings.ts';

const DAY_MS = 24 * 3_600_000;

/** Robots can leave any number of leads. */
const MAX_QUARANTINED = 1_000;

/**
 * Returns the matter of the week that has ended, due once on Monday from 07:00 in London. It is no
 * news after a day, and out of date after three.
 */
export function findWeekly(now: Date): Matter[] {
  const since = lastMondayAtSeven(now);
  const ageMs = now.getTime() - since.getTime();
  const what = `weekly ${since.toISOString().slice(0, 10)}`;
  const matter = { what, text: 'The weekly summary', since, isNews: ageMs <= DAY_MS };
  return ageMs < 3 * DAY_MS ? [matter] : [];
}

/** Reads the summary of the week before a Monday. `open` are the open conditions. */
export async function readWeekly(
  trx: Database,
  settings: AttentionSettings & Pick<ApiSettings, 'publicUrl'>,
  monday: Date,
  open: readonly Alert[],
): Promise<MailBody> {
  const facts = {
    at: monday,
    attention: await listAttention(trx, settings, open),
    week: await readWeekOf(trx, weekBefore(monday)),
    weekBefore: await readWeekOf(trx, weekBefore(monday, 1)),
    quarantined: await countUpTo(trx, { status: 'quarantined' }, MAX_QUARANTINED),
    ahead: await readWeek(trx, londonDate(monday)),
  };
  return writeWeekly(facts, settings.publicUrl);
}

/** Reads a week's figures from their rows, and figures of its end from its nights. */
async function readWeekOf(
  db: Database,
  days: { startDate: string; endDate: string },
): Promise<Week> {
  return queryOne(
    db,
    `select moved.*, others.*, began.*, last.*
     from (
       select count(*) filter (where kind = 'payment')::int as payments,
         coalesce(sum(pence) filter (where kind = 'payment'), 0)::bigint as paid_pence,
         count(*) filter (where kind = 'refund')::int as refunds,
         coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)::bigint
           as refunded_pence,
         coalesce(-sum(pence) filter (where kind in ('dispute', 'won dispute')), 0)::bigint
           as held_pence
       from payments
       where currency = 'gbp' and at >= :from and at < :to
     ) moved, (
       select coalesce(json_agg(each order by currency), '[]') as left_out
       from (
         select currency, sum(pence)::bigint as pence from payments
         where currency <> 'gbp' and at >= :from and at < :to
         group by 1
       ) each
     ) others left join (
       select count(*) filter (where list = 'new-payers')::int as new_payers,
         count(*) filter (where list = 'ended-payers')::int as ended_payers
       from money_rows
       where list in ('new-payers', 'ended-payers') and at >= :from and at < :to
     ) began on exists (select from money_nights where day between :startDate and :endDate)
     left join (
       select mrr_pence, on_list from money_nights where day = :endDate
     ) last on true`,
    { ...days, ...bindPeriod(days) },
  );
}

/** A week, Monday to Sunday in London. */
export type Week = {
  payments: number;
  paidPence: number;
  refunds: number;
  refundedPence: number;
  heldPence: number;
  /** Income in other currencies, which no figure counts. */
  leftOut: { pence: number; currency: string }[];
  newPayers: number | null;
  endedPayers: number | null;
  /** The figures at the week's end. */
  mrrPence: number | null;
  onList: number | null;
};

/** The facts of the weekly summary. An unknown fact is null. */
export type WeeklyFacts = {
  /** 07:00 on the Monday after the week. */
  at: Date;
  attention: Attention;
  week: Week;
  weekBefore: Week;
  /** Leads in quarantine now, up to `MAX_QUARANTINED`. */
  quarantined: number;
  ahead: { trials: number; renewals: number; pence: number };
};

/** Returns the latest Monday, 07:00 in London, that is not after `now`. */
export function lastMondayAtSeven(now: Date): Date {
  const today = londonDate(now);
  const monday = dayAfter(today, -((new Date(today).getUTCDay() + 6) % 7));
  return atSeven(monday) > now ? atSeven(dayAfter(monday, -7)) : atSeven(monday);
}

/**
 * Returns 07:00 in London on a Monday. The clocks change on Sundays, so a Monday has 24 hours, and
 * its end shows the offset.
 */
const atSeven = (day: string) => new Date(endOfLondonDay(day).getTime() + 1 - 17 * 3_600_000);

/** Returns the London days of the week that ended `weeks` weeks before the Monday. */
export function weekBefore(monday: Date, weeks = 0): { startDate: string; endDate: string } {
  const end = dayAfter(londonDate(monday), -7 * weeks);
  return { startDate: dayAfter(end, -7), endDate: dayAfter(end, -1) };
}

/** Writes the weekly summary. Pure: `readWeekly` reads the facts. */
export function writeWeekly(facts: WeeklyFacts, publicUrl: string): MailBody {
  const { at, attention, week, weekBefore: before, quarantined, ahead } = facts;
  const [days, daysBefore] = [weekBefore(at), weekBefore(at, 1)];
  const trials = `${count(ahead.trials, 'trial')} ${ahead.trials === 1 ? 'ends' : 'end'}`;
  return {
    subject: `${formatDays(days, 'long')}: ${net(week)} in${toAttentionText(attention)}`,
    name: OFFER.productName,
    heading: `The week to ${formatLongDate(addDays(at, -1), true)}`,
    sections: [
      attention.count > 0
        ? toSection('Needs attention', attention, publicUrl)
        : { heading: 'Needs attention', count: 0, rows: [{ text: 'Nothing needs attention.' }] },
      {
        heading: 'The week',
        columns: [formatDays(days, 'short'), formatDays(daysBefore, 'short')],
        rows: [
          { text: 'Money in', figures: [net(week), net(before)], note: toMoneyText(week) },
          row('MRR on Sunday', pounds(week.mrrPence), pounds(before.mrrPence)),
          row('New payers', number(week.newPayers), number(before.newPayers)),
          row('Payers who left', number(week.endedPayers), number(before.endedPayers)),
          row('On the list', number(week.onList), number(before.onList)),
        ],
      },
      {
        heading: 'This week',
        rows: [
          row(
            `${trials}, ${count(ahead.renewals, 'renewal')}`,
            `${pounds(ahead.pence)} if every trial stays`,
          ),
        ],
      },
      ...(quarantined > 0 ? [toQuarantinedSection(quarantined, publicUrl)] : []),
    ],
    href: overviewUrl(publicUrl),
    link: 'Open the overview',
    foot:
      'Sent on Mondays at 07:00 UK time to the email addresses for alerts. Visitors are never ' +
      'emailed from here.',
  };
}

const net = ({ paidPence, refundedPence, heldPence }: Week) =>
  formatPence(paidPence - refundedPence - heldPence, true);

/** Returns `, 2 need attention`. */
function toAttentionText({ count: items }: Attention): string {
  if (items === 0) return '';
  return `, ${items} ${items === 1 ? 'needs' : 'need'} attention`;
}

/** Returns `3 payments, £717.00, less 1 refund, £239.00. Left out: $10.00`. */
function toMoneyText({ payments, paidPence, refunds, refundedPence, heldPence, leftOut }: Week) {
  const parts = [`${count(payments, 'payment')}, ${formatPence(paidPence, true)}`];
  if (refunds > 0)
    parts.push(`less ${count(refunds, 'refund')}, ${formatPence(refundedPence, true)}`);
  if (heldPence !== 0) parts.push(`less ${formatPence(heldPence, true)} held by banks`);
  const others = leftOut.map(({ pence, currency }) => formatMoney(pence, currency)).join(', ');
  return parts.join(', ') + (others && `. Left out: ${others}`);
}

/**
 * Writes the section about quarantined leads. Only the summary counts them, because they would be
 * news every hour.
 */
function toQuarantinedSection(quarantined: number, publicUrl: string): MailSection {
  const more = quarantined === MAX_QUARANTINED ? ' or more' : '';
  const text =
    quarantined === 1
      ? '1 lead looks automated, so it was not sent. Send or delete it.'
      : `${number(quarantined)}${more} leads look automated, so they were not sent. Send or ` +
        'delete them.';
  const href = `${publicUrl}/admin-leads?status=quarantined`;
  return { heading: 'Quarantine', count: quarantined, rows: [{ text, href }] };
}

const UNKNOWN = '–';
const number = (n: number | null) => n?.toLocaleString('en-GB') ?? UNKNOWN;
const pounds = (pence: number | null) => (pence === null ? UNKNOWN : formatPence(pence, true));
const row = (text: string, ...figures: string[]): MailRow => ({ text, figures });
const count = (n: number, of: string) => `${number(n)} ${n === 1 ? of : `${of}s`}`;

/** Returns `8 to 14 December`, or `29 Nov to 5 Dec`. */
function formatDays(
  { startDate, endDate }: { startDate: string; endDate: string },
  month: 'long' | 'short',
): string {
  const format = (day: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', ...options }).format(
      new Date(day),
    );
  const isOneMonth = startDate.slice(0, 7) === endDate.slice(0, 7);
  return `${format(startDate, isOneMonth ? {} : { month })} to ${format(endDate, { month })}`;
}
