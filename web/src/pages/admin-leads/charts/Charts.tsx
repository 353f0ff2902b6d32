import { MOST_CHARTED } from '@site/schema/console';
import type { ChartsAnswer } from '@site/schema/console';
import { londonDate } from '@site/schema/calendar';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { formatCount } from '../elements/format-count.ts';
import { lastDays } from './chart-days.ts';
import { nameSource } from './chart-labels.ts';
import { ChartColumns } from './ChartColumns.tsx';
import { ChartRows } from './ChartRows.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type ChartProps = { filter: ListFilter; figures: ChartsAnswer };
type DayChartProps = ChartProps & { now: Date; most: number };

const monthOf = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', timeZone: 'UTC' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/London' });

/** Leads by day over the last days of the filter's dates, each column a link to its leads. */
export function DayChart({ filter, figures: { days }, now, most }: DayChartProps) {
  const shown = lastDays(days, filter, londonDate(now), most);
  const columns = shown.map(({ day, preSample, preBuy }, index) => {
    const at = new Date(`${day}T00:00:00Z`);
    const name = dayAndMonth.format(at);
    return {
      id: day,
      tick: dayOf.format(at),
      // At the first column, and where a month begins.
      ...(index === 0 || day.endsWith('-01') ? { group: monthOf.format(at) } : {}),
      name,
      label: `${name}: ${formatCount(preSample + preBuy)}, ${formatCount(preSample)} Pre-Sample and ${formatCount(preBuy)} Pre-Buy`,
      figures: [preBuy, preSample],
      to: toQuery({ ...filter, startDate: day, endDate: day }),
    };
  });
  return (
    <ChartColumns
      title="Leads by day"
      range={describeSpan(shown)}
      isEmpty={days.length === 0}
      series={[
        { name: 'Pre-Buy', tone: 'buy' },
        { name: 'Pre-Sample', tone: 'sample' },
      ]}
      columns={columns}
    />
  );
}

/** `20 Nov to 3 Dec`. */
function describeSpan(days: readonly { day: string }[]): string {
  const [first, last] = [days[0]?.day, days.at(-1)?.day].map((day) => day && dayAndMonth.format(new Date(day)));
  return first === last ? (first ?? '') : `${first} to ${last}`;
}

type SourceChartProps = ChartProps & { aside?: ReactNode };

/** Leads by source, each bar a link to its leads. */
export function SourceChart({ filter, figures: { sources, isCapped }, aside }: SourceChartProps) {
  const rows = sources.map((row) => ({
    id: row.isRest ? 'rest' : (row.source ?? ''),
    name: nameSource(row),
    figures: [row.preSample, row.preBuy],
    sum: formatCount(row.preSample + row.preBuy),
    ...(row.source === null ? {} : { to: toQuery({ ...filter, source: row.source }) }),
  }));
  const note = isCapped ? `Of the newest ${formatCount(MOST_CHARTED)} leads.` : undefined;
  return <ChartRows title="By source" aside={aside} tones={['sample', 'buy']} rows={rows} note={note} />;
}

/** Monthly revenue of paid subscriptions by source, each bar a link to the leads of the source. */
export function RevenueChart({ filter, figures: { revenue } }: ChartProps) {
  const rows = revenue.map(({ source, monthlyPence }) => ({
    id: source ?? '',
    name: nameSource({ source }),
    figures: [monthlyPence],
    sum: formatPence(monthlyPence, true),
    ...(source === null ? {} : { to: toQuery({ ...filter, source }) }),
  }));
  return (
    <ChartRows
      title="Revenue by source"
      tones={['buy']}
      rows={rows}
      empty="No paid subscriptions yet. A trial counts once it is paid."
    />
  );
}

/** Beehiiv's answers in each of the last 24 hours of the range. */
export function HourChart({ figures: { hours } }: Pick<ChartProps, 'figures'>) {
  const columns = hours.map(({ at, accepted, permanent, willRetry }) => {
    const hour = clock.format(new Date(at));
    return {
      id: at,
      tick: hour,
      name: `${hour}:00`,
      label: `${hour}:00: ${formatCount(accepted)} accepted, ${formatCount(permanent)} permanent failures, ${formatCount(willRetry)} will retry`,
      figures: [accepted, permanent, willRetry],
    };
  });
  return (
    <ChartColumns
      title="Attempts by hour"
      empty="No attempts in these hours."
      isEmpty={hours.every(({ accepted, permanent, willRetry }) => accepted + permanent + willRetry === 0)}
      series={[
        { name: 'Accepted', tone: 'sent' },
        { name: 'Permanent failure', tone: 'failed' },
        { name: 'Will retry', tone: 'pending' },
      ]}
      columns={columns}
    />
  );
}
