import { londonDate } from '@site/schema/calendar';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { formatCount } from '../elements/format-count.ts';
import { toSearch } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { toSteps } from './chart-days.ts';
import { everyHour, hourOf, sumUp } from './chart-hours.ts';
import type { HourDay } from './chart-hours.ts';
import { formatDay, labelStep } from './chart-labels.ts';
import { ChartColumns } from './ChartColumns.tsx';
import type { ChartSeries } from './ChartFrame.tsx';

type Hour = ChartsAnswer['hours'][number];
type AttemptChartProps = { days: readonly HourDay[]; range: string };

const SERIES: readonly ChartSeries[] = [
  { name: 'Accepted', tone: 'sent' },
  { name: 'Permanent failure', tone: 'failed' },
  { name: 'Will retry', tone: 'pending' },
];
const HOURS_OF_A_DAY = 24;
/** The hours with a label below them. */
const TICK_HOURS = 3;

const twoDigits = (hour: number) => String(hour).padStart(2, '0');

/** Beehiiv's answers in each hour of one or two days. */
export function HourChart({ days, range, now }: AttemptChartProps & { now: Date }) {
  const hours = everyHour(days, now);
  const columns = hours.map((hour, index) => {
    const at = new Date(hour.at);
    const day = formatDay(londonDate(at));
    const clock = hourOf(at);
    return {
      id: hour.at,
      ...labelHour(clock),
      ...(index === 0 || clock === 0 ? { group: day } : {}),
      ...describe(`${day}, ${twoDigits(clock)}:00`, hour),
    };
  });
  return <AttemptChart title="Attempts by hour" range={range} days={days} columns={columns} />;
}

/** Beehiiv's answers by hour of the day, over all days: when leads come, and when Beehiiv fails. */
export function HourOfDayChart({ days, range }: AttemptChartProps) {
  const all = days.flatMap(({ hours }) => hours);
  const columns = Array.from({ length: HOURS_OF_A_DAY }, (_, clock) => ({
    id: String(clock),
    ...labelHour(clock),
    // An hour that a change of the clocks repeats is one column.
    ...describe(
      `${twoDigits(clock)}:00 to ${twoDigits((clock + 1) % HOURS_OF_A_DAY)}:00`,
      sumUp(all.filter((hour) => hourOf(new Date(hour.at)) === clock)),
    ),
  }));
  return <AttemptChart title="Attempts by hour of the day" range={range} days={days} columns={columns} />;
}

/** Beehiiv's answers by day, or by week where those are many. Each column opens the figures of its days. */
export function AttemptDayChart({ days, range, filter }: AttemptChartProps & { filter: ListFilter }) {
  const { step, steps } = toSteps(days);
  const columns = steps.map((of, index) => {
    const { name, ...labels } = labelStep(of, step, steps[index - 1]);
    return {
      id: of.from,
      ...labels,
      ...describe(name, sumUp(of.days.flatMap(({ hours }) => hours))),
      to: toSearch({ ...filter, startDate: of.from, endDate: of.to }, 'figures'),
    };
  });
  return <AttemptChart title={`Attempts by ${step}`} range={range} days={days} columns={columns} />;
}

type Columns = Parameters<typeof ChartColumns>[0]['columns'];

function AttemptChart({ title, range, days, columns }: AttemptChartProps & { title: string; columns: Columns }) {
  return (
    <ChartColumns
      title={title}
      range={range}
      empty="No attempts in this range."
      isEmpty={days.every(({ hours }) => hours.length === 0)}
      series={SERIES}
      columns={columns}
    />
  );
}

const labelHour = (clock: number) => (clock % TICK_HOURS === 0 ? { tick: twoDigits(clock) } : {});

const describe = (name: string, { accepted, permanent, willRetry }: Omit<Hour, 'at'>) => ({
  name,
  label: `${name}: ${formatCount(accepted)} accepted, ${formatCount(permanent)} permanent failures, ${formatCount(willRetry)} will retry`,
  figures: [accepted, permanent, willRetry],
});
