import { formatCalendarDate } from '@site/schema/calendar';
import { readFunnelFilter } from '@site/schema/calls/lead-filter';
import type { FunnelPart, FunnelStep } from '@site/schema/calls/lead-filter';
import { FUNNEL_OTHERS } from '@site/schema/money';
import type { ListFilter } from '../shared/filter.ts';
import {
  toButtonName,
  FORM_TYPE_NAMES,
  SUBSCRIBER_STATE_LABELS,
  STAGE_FILTER_LABELS,
  STATUS_NAMES,
} from '@site/schema/labels';

type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;

/** Returns `20 November to 3 December 2025`, `from 20 November 2025` or `all dates`. */
export function toDatesText({ startDate, endDate }: Dates): string {
  if (startDate && endDate) {
    if (startDate === endDate) return formatCalendarDate(startDate);
    const start = formatCalendarDate(startDate);
    const isOneYear = startDate.slice(0, 4) === endDate.slice(0, 4);
    return `${isOneYear ? start.replace(/ \d+$/u, '') : start} to ${formatCalendarDate(endDate)}`;
  }
  if (startDate) return `from ${formatCalendarDate(startDate)}`;
  if (endDate) return `up to ${formatCalendarDate(endDate)}`;
  return 'all dates';
}

/** Returns a filter in words: `Pre-Buy, failed, 29 November to 30 November 2025`. */
export function toFilterText({ sort: _, ...filter }: ListFilter): string {
  const {
    formType,
    status,
    startDate,
    endDate,
    subscriber,
    source,
    without,
    checkout,
    stage,
    bulkRetry,
    funnel,
    search,
    ...others
  } = filter;
  // Does not compile with a filter that has no words below.
  others satisfies Record<string, never>;
  const parts = [
    formType ? FORM_TYPE_NAMES[formType] : 'All Forms',
    status && STATUS_NAMES[status].toLowerCase(),
    toDatesText({ startDate, endDate }),
    subscriber && SUBSCRIBER_STATE_LABELS[subscriber],
    source && `from “${toButtonName(source)}”`,
    without && 'without a source',
    checkout && 'abandoned checkouts',
    stage && `subscription ${STAGE_FILTER_LABELS[stage].toLowerCase()}`,
    bulkRetry && 'of one bulk retry',
    funnel && toFunnelText(funnel),
    search && `matching “${search}”`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Names a channel, a button or a campaign of the funnel. */
export function toPartName(part: FunnelPart, name: string): string {
  if (name === FUNNEL_OTHERS) return 'Other';
  if (part === 'button') return toButtonName(name);
  return name === '' ? 'No campaign' : name;
}

const FUNNEL_LABELS: Record<FunnelStep, string> = {
  people: 'each person once',
  checkout: 'people who opened a checkout',
  trial: 'people who began a trial',
  paying: 'people who pay',
  'in-trial': 'people who have not paid yet',
  left: 'people who left after a trial began',
};

/** Returns `people who pay, from LinkedIn`. */
function toFunnelText(filter: string): string {
  const { step, part, name } = readFunnelFilter(filter);
  if (part === undefined) return FUNNEL_LABELS[step];
  const from =
    name === FUNNEL_OTHERS
      ? `any other ${part}`
      : part === 'channel'
        ? name
        : `“${toPartName(part, name)}”`;
  return `${FUNNEL_LABELS[step]}, from ${from}`;
}
