import type { ChartsAnswer } from '@site/schema/calls/charts';
import { dayAfter } from '@site/schema/calendar';
import type { ListFilter } from '../shared/filter-params.ts';

type Day = ChartsAnswer['days'][number];
type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;

/** Minimum number of days for a history without a start, so that a few leads are not a chart of one bar. */
const MIN_DAYS = 14;

/**
 * Returns the last `most` days of the filter's dates, up to today. The answer leaves out days without leads, which are
 * filled in. Without a start they begin with the first lead, or `MIN_DAYS` ago.
 */
export function lastDays(
  days: readonly Day[],
  { startDate, endDate }: Dates,
  today: string,
  most: number,
): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const last = endDate !== undefined && endDate < today ? endDate : today;
  const fewest = dayAfter(last, 1 - MIN_DAYS);
  const first = startDate ?? [days[0]?.day ?? fewest, fewest].toSorted()[0] ?? fewest;
  const shown: Day[] = [];
  for (let day = last; shown.length < most && day >= first; day = dayAfter(day, -1)) {
    shown.unshift(known.get(day) ?? { day, preSample: 0, preBuy: 0 });
  }
  return shown;
}
