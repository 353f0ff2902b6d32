import type { ChartsAnswer } from '@site/schema/console';
import { addDays } from '../filters/date-presets.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type Day = ChartsAnswer['days'][number];
type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;

/**
 * Returns the last `most` days of the filter's dates, up to today. The answer leaves out days without leads, which are
 * filled in.
 */
export function lastDays(days: readonly Day[], { startDate, endDate }: Dates, today: string, most: number): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const last = endDate !== undefined && endDate < today ? endDate : today;
  const shown: Day[] = [];
  for (let day = last; shown.length < most && day >= (startDate ?? ''); day = addDays(day, -1)) {
    shown.unshift(known.get(day) ?? { day, preSample: 0, preBuy: 0 });
  }
  return shown;
}
