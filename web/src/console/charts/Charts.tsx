import { MAX_CHARTED } from '@site/schema/calls/charts';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { londonDate } from '@site/schema/calendar';
import type { ReactNode } from 'react';
import { formatCount } from '../elements/format-count.ts';
import { lastDays, toSteps } from './chart-days.ts';
import { describeSpan, labelStep, nameSource } from './chart-labels.ts';
import { ChartColumns } from './ChartColumns.tsx';
import { ChartRows } from './ChartRows.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type ChartProps = { filter: ListFilter; figures: ChartsAnswer };
type DayChartProps = ChartProps & { now: Date; most: number };

/** Leads by day over the last days of the filter's dates, or by week or month where those are many. Each column is a link to its leads. */
export function DayChart({ filter, figures: { days }, now, most }: DayChartProps) {
  const shown = lastDays(days, filter, londonDate(now), most);
  const { step, steps } = toSteps(shown);
  const columns = steps.map((of, index) => {
    const sum = (form: 'preSample' | 'preBuy') => of.days.reduce((total, day) => total + day[form], 0);
    const [preSample, preBuy] = [sum('preSample'), sum('preBuy')];
    const labels = labelStep(of, step, steps[index - 1]);
    return {
      id: of.from,
      ...labels,
      label: `${labels.name}: ${formatCount(preSample + preBuy)}, ${formatCount(preSample)} Pre-Sample and ${formatCount(preBuy)} Pre-Buy`,
      figures: [preBuy, preSample],
      to: toQuery({ ...filter, startDate: of.from, endDate: of.to }),
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

type SourceChartProps = ChartProps & { aside?: ReactNode };

/** Leads by source, each bar a link to its leads. */
export function SourceChart({ filter, figures: { sources, isCapped }, aside }: SourceChartProps) {
  const rows = sources.map((row) => ({
    id: row.isRest ? 'rest' : (row.source ?? ''),
    name: nameSource(row),
    figures: [row.preSample, row.preBuy],
    sum: formatCount(row.preSample + row.preBuy),
    ...(row.isRest ? {} : { to: toQuery({ ...filter, ...toSource(row.source) }) }),
  }));
  const notes = [
    isCapped && `Of the newest ${formatCount(MAX_CHARTED)} leads.`,
    // Beside the counters there is no room to say so.
    !aside && sources.some(({ isRest }) => isRest) && 'All others are the smaller sources together, without a list.',
  ];
  const note = notes.filter(Boolean).join(' ');
  return <ChartRows title="By source" aside={aside} tones={['sample', 'buy']} rows={rows} note={note} />;
}

const toSource = (source: string | null): ListFilter =>
  source === null ? { source: undefined, without: 'source' } : { source, without: undefined };
