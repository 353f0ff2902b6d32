import { formatCalendarDate } from '@site/schema/calendar';
import { toFilterWords } from '@site/schema/calls/lead-filter';
import type { ListFilter } from '../shared/filter.ts';

type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;

/** Returns `20 November to 3 December 2025`, `from 20 November 2025` or `all dates`. */
export function toDatesText({ startDate, endDate }: Dates): string {
  if (startDate && endDate) {
    if (startDate === endDate) return formatCalendarDate(startDate);
    const start = formatCalendarDate(startDate);
    const isOneYear = startDate.slice(0, 4) === endDate.slice(0, 4);
    return `${isOneYear ? start.replace(/ \d+$/u, '') : start} to ${formatCalendarDate(endDate)}`;
  }
  return toFilterWords({ startDate, endDate })[0] ?? 'all dates';
}

/** Returns a filter in words: `Pre-Buy, failed, 29 November to 30 November 2025`. */
export function toFilterText(filter: ListFilter): string {
  const { sort: _, formType, status, startDate, endDate, ...others } = filter;
  return [
    ...(formType ? toFilterWords({ formType }) : ['All Forms']),
    ...toFilterWords({ status }),
    toDatesText({ startDate, endDate }),
    ...toFilterWords(others),
  ].join(', ');
}
