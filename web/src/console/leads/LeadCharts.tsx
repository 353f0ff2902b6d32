import { londonDate, dayAfter } from '@site/schema/calendar';
import { MAX_CHARTED } from '@site/schema/calls/leads';
import type { ChartsAnswer } from '@site/schema/calls/leads';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { toButtonName } from '@site/schema/labels';
import { toSpanText, formatCount, formatCalendarDay, labelDay } from '../shared/format.ts';
import { Chart, ChartFrame } from '../shared/Chart.tsx';
import { toQuery, withoutSort, withoutStatus } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { useNow } from '../shared/use-now.ts';
import styles from './LeadCharts.module.css';

/**
 * Renders the two charts beside the counters, at a fixed height while they load. A status does not
 * narrow them.
 */
export function LeadCharts({ filter: listed }: { filter: ListFilter }) {
  const filter = withoutStatus(listed);
  const { data, failure } = useApiData(
    'GET /api/admin/charts',
    { query: withoutSort(filter) },
    { keepPreviousData: true },
  );
  return (
    <div className={styles.charts}>
      {data && <DayChart filter={filter} days={data.days} />}
      {data && <SourceChart filter={filter} figures={data} />}
      {!data && failure !== undefined && <p>The charts could not be loaded.</p>}
    </div>
  );
}

/** The number of columns that fit beside the counters. */
const DAYS = 14;

type DayChartProps = { filter: ListFilter; days: ChartsAnswer['days'] };

/** Charts leads by day over the last days of the filter's dates. Each column links to its leads. */
function DayChart({ filter, days }: DayChartProps) {
  const today = londonDate(useNow(false));
  const last = filter.endDate !== undefined && filter.endDate < today ? filter.endDate : today;
  const shown = listDays(days, last, filter.startDate);
  const columns = shown.map(({ day, preSample, preBuy }) => ({
    id: day,
    tick: labelDay(day),
    label:
      `${formatCalendarDay(day)}: ${formatCount(preSample + preBuy)}, ${formatCount(preSample)} ` +
      `Pre-Sample and ${formatCount(preBuy)} Pre-Buy`,
    figures: [preBuy, preSample],
    to: toQuery({ ...filter, startDate: day, endDate: day }),
  }));
  return (
    <Chart
      title="Leads by day"
      range={toSpanText(shown)}
      series={[
        { name: 'Pre-Buy', tone: 'buy' },
        { name: 'Pre-Sample', tone: 'sample' },
      ]}
      columns={columns}
    />
  );
}

/** Returns the days up to the last, including days without leads, which the answer leaves out. */
function listDays(
  days: ChartsAnswer['days'],
  last: string,
  startDate = dayAfter(last, 1 - DAYS),
): ChartsAnswer['days'] {
  const byDay = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: DAYS }, (_, n) => dayAfter(last, n + 1 - DAYS))
    .filter((day) => day >= startDate)
    .map((day) => byDay.get(day) ?? { day, preSample: 0, preBuy: 0 });
}

type SourceChartProps = { filter: ListFilter; figures: ChartsAnswer };

/**
 * Charts leads by source as horizontal bars, each a link to its leads. The sum of the smaller
 * sources has no link.
 */
function SourceChart({ filter, figures }: SourceChartProps) {
  const { sources, isCapped } = figures;
  const most = Math.max(1, ...sources.map(({ preSample, preBuy }) => preSample + preBuy));
  const toBar = (tone: string, figure: number) => (
    <span data-tone={tone} style={{ width: `${(100 * figure) / most}%` }} />
  );
  return (
    <ChartFrame title="By source">
      {sources.length === 0 && <p>No leads to show.</p>}
      <ul className={styles.sources}>
        {sources.map(({ source, isRest, preSample, preBuy }) => {
          const name = isRest ? 'all others' : toButtonName(source ?? '');
          const content = (
            <>
              <bdi>{name}</bdi>
              <span aria-hidden="true">
                {toBar('sample', preSample)}
                {toBar('buy', preBuy)}
              </span>
              <strong>{formatCount(preSample + preBuy)}</strong>
            </>
          );
          const wanted =
            source === null
              ? { source: undefined, without: 'source' as const }
              : { source, without: undefined };
          return (
            <li key={isRest ? 'rest' : (source ?? '')}>
              {isRest ? (
                <span>{content}</span>
              ) : (
                <Link to={{ search: toQuery({ ...filter, ...wanted }) }} title={`Show ${name}`}>
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {isCapped && <small>Of the newest {formatCount(MAX_CHARTED)} leads.</small>}
    </ChartFrame>
  );
}
