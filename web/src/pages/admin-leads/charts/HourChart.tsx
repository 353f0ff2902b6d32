import { londonDate } from '@site/schema/calendar';
import { MOST_ATTEMPTS } from '@site/schema/console';
import type { ChartsAnswer } from '@site/schema/console';
import { formatCount } from '../elements/format-count.ts';
import { toSearch } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { ChartColumns } from './ChartColumns.tsx';
import { byDay, everyHour, hourOf, sumUp } from './chart-hours.ts';
import type { HourDay } from './chart-hours.ts';
import type { ChartSeries } from './ChartFrame.tsx';
import { describeSpan } from './Charts.tsx';

type Hour = ChartsAnswer['hours'][number];
type HourChartProps = { filter: ListFilter; figures: Pick<ChartsAnswer, 'hours' | 'areHoursCapped'>; now: Date };

const SERIES: readonly ChartSeries[] = [
  { name: 'Accepted', tone: 'sent' },
  { name: 'Permanent failure', tone: 'failed' },
  { name: 'Will retry', tone: 'pending' },
];
/** So many hours have room for a column each. */
const MOST_DAYS_OF_COLUMNS = 2;

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', timeZone: 'UTC' });
const monthOf = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
const twoDigits = (hour: number) => String(hour).padStart(2, '0');

/**
 * Beehiiv's answers in every hour of the range: a column an hour, or over more than two days a column a day with its 24
 * hours above each other, which opens that day.
 */
export function HourChart({ filter, figures: { hours, areHoursCapped }, now }: HourChartProps) {
  const days = byDay(hours, filter, londonDate(now));
  const columns =
    days.length <= MOST_DAYS_OF_COLUMNS
      ? everyHour(days, now).map((hour, index) => toHourColumn(hour, index))
      : days.map((day, index) => toDayColumn(day, index, filter));
  return (
    <ChartColumns
      title="Attempts by hour"
      range={describeSpan(days) + (areHoursCapped ? `, the newest ${formatCount(MOST_ATTEMPTS)}` : '')}
      empty="No attempts in this range."
      isEmpty={hours.length === 0}
      series={SERIES}
      columns={columns}
    />
  );
}

const toFigures = ({ accepted, permanent, willRetry }: Omit<Hour, 'at'>) => [accepted, permanent, willRetry];

const describe = (name: string, { accepted, permanent, willRetry }: Omit<Hour, 'at'>) =>
  `${name}: ${formatCount(accepted)} accepted, ${formatCount(permanent)} permanent failures, ${formatCount(willRetry)} will retry`;

function toHourColumn(hour: Hour, index: number) {
  const at = new Date(hour.at);
  const day = dayAndMonth.format(new Date(londonDate(at)));
  const clock = twoDigits(hourOf(at));
  const name = `${day}, ${clock}:00`;
  return {
    id: hour.at,
    tick: clock,
    ...(index === 0 || clock === '00' ? { group: day } : {}),
    name,
    label: describe(name, hour),
    figures: toFigures(hour),
  };
}

function toDayColumn({ day, hours }: HourDay, index: number, filter: ListFilter) {
  const at = new Date(day);
  const name = dayAndMonth.format(at);
  const figures = sumUp(hours);
  // An hour that a change of the clocks repeats is one row.
  const cells = Array.from({ length: 24 }, (_, hour) =>
    toFigures(sumUp(hours.filter((known) => hourOf(new Date(known.at)) === hour))),
  );
  return {
    id: day,
    tick: dayOf.format(at),
    ...(index === 0 || day.endsWith('-01') ? { group: monthOf.format(at) } : {}),
    name,
    label: describe(name, figures),
    figures: toFigures(figures),
    cells,
    to: toSearch({ ...filter, startDate: day, endDate: day }, 'figures'),
  };
}
