import { MOST_CHARTED } from '@site/schema/console';
import type { ChartsAnswer } from '@site/schema/console';
import { londonDate } from '@site/schema/calendar';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { formatCount } from '../elements/format-count.ts';
import { lastDays, toSteps } from './chart-days.ts';
import type { StepName } from './chart-days.ts';
import { nameSource } from './chart-labels.ts';
import { ChartColumns } from './ChartColumns.tsx';
import { ChartRows } from './ChartRows.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type ChartProps = { filter: ListFilter; figures: ChartsAnswer };
type DayChartProps = ChartProps & { now: Date; most: number };

const monthOf = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', timeZone: 'UTC' });
const yearOf = new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: 'UTC' });
const monthAndYear = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Leads by day over the last days of the filter's dates, or by week or month where those are many. Each column is a link to its leads. */
export function DayChart({ filter, figures: { days }, now, most }: DayChartProps) {
  const start = filter.startDate ?? (most > DAYS_OF_A_STRIP ? days[0]?.day : undefined);
  const shown = lastDays(days, start === undefined ? filter : { ...filter, startDate: start }, londonDate(now), most);
  const { step, steps } = toSteps(shown);
  const columns = steps.map(({ from, to, preSample, preBuy }, index) => {
    const at = new Date(`${from}T00:00:00Z`);
    const name = step === 'month' ? monthAndYear.format(at) : describeSpan([{ day: from }, { day: to }]);
    return {
      id: from,
      tick: (step === 'month' ? monthOf : dayOf).format(at),
      ...describeGroup(from, step, index === 0 ? undefined : steps[index - 1]?.from),
      name,
      label: `${name}: ${formatCount(preSample + preBuy)}, ${formatCount(preSample)} Pre-Sample and ${formatCount(preBuy)} Pre-Buy`,
      figures: [preBuy, preSample],
      to: toQuery({ ...filter, startDate: from, endDate: to }),
    };
  });
  return (
    <ChartColumns
      title={`Leads by ${step}`}
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

/** More days than this are a whole range, which begins with its first lead. */
const DAYS_OF_A_STRIP = 31;

/** A second label at the first column, and where a month begins, or a year. */
function describeGroup(day: string, step: StepName, before: string | undefined): { group?: string } {
  const signs = step === 'month' ? 4 : 7;
  if (before?.slice(0, signs) === day.slice(0, signs)) return {};
  return { group: (step === 'month' ? yearOf : monthOf).format(new Date(day)) };
}

/** `20 Nov to 3 Dec`. */
export function describeSpan(days: readonly { day: string }[]): string {
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
      title="MRR by source"
      tones={['buy']}
      rows={rows}
      empty="No paid subscriptions yet. A trial counts once it is paid."
    />
  );
}
