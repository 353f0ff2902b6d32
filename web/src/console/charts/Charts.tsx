import { MAX_CHARTED } from '@site/schema/calls/charts';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { londonDate } from '@site/schema/calendar';
import { formatCount } from '../elements/format-count.ts';
import { lastDays } from './chart-days.ts';
import { describeSpan, formatDay, labelDay, nameSource } from './chart-labels.ts';
import { ChartColumns } from './ChartColumns.tsx';
import { ChartRows } from './ChartRows.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type ChartProps = { filter: ListFilter; figures: ChartsAnswer };
type DayChartProps = ChartProps & { now: Date; most: number };

/** Leads by day over the last days of the filter's dates. Each column is a link to its leads. */
export function DayChart({ filter, figures: { days }, now, most }: DayChartProps) {
  const shown = lastDays(days, filter, londonDate(now), most);
  const columns = shown.map(({ day, preSample, preBuy }) => {
    return {
      id: day,
      ...labelDay(day),
      label: `${formatDay(day)}: ${formatCount(preSample + preBuy)}, ${formatCount(preSample)} Pre-Sample and ${formatCount(preBuy)} Pre-Buy`,
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

/** Leads by source, each bar a link to its leads. */
export function SourceChart({ filter, figures: { sources, isCapped } }: ChartProps) {
  const rows = sources.map((row) => ({
    id: row.isRest ? 'rest' : (row.source ?? ''),
    name: nameSource(row),
    figures: [row.preSample, row.preBuy],
    sum: formatCount(row.preSample + row.preBuy),
    ...(row.isRest ? {} : { to: toQuery({ ...filter, ...toSource(row.source) }) }),
  }));
  const note = isCapped ? `Of the newest ${formatCount(MAX_CHARTED)} leads.` : undefined;
  return <ChartRows title="By source" tones={['sample', 'buy']} rows={rows} note={note} />;
}

const toSource = (source: string | null): ListFilter =>
  source === null ? { source: undefined, without: 'source' } : { source, without: undefined };
