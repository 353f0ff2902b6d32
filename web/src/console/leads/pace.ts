import { londonDate } from '@site/schema/calendar';
import type { LeadCounts } from '@site/schema/calls/leads';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { formatPace } from '../shared/format-count.ts';
import { countDays } from '../lead/filter-labels.ts';
import { isNarrowed, withoutStatus } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';

export type LeadsOfDay = ChartsAnswer['days'][number];

/**
 * `29 a day`: over the filter's dates, or without them from its first lead until today. That one comes from the charts,
 * which know the leads of a year by day.
 */
export function describePace(
  filter: ListFilter,
  counts: LeadCounts | undefined,
  charted: readonly LeadsOfDay[] = [],
  now = new Date(),
): string | undefined {
  if (!counts) return undefined;
  const days = countDays(filter);
  if (days !== undefined && days > 1) return formatPace(counts.total, days);
  const since = countDays({
    startDate: charted[0]?.day,
    endDate: filter.endDate ?? londonDate(now),
  });
  if (days === undefined && since !== undefined && since > 1) {
    return formatPace(
      charted.reduce((sum, { preSample, preBuy }) => sum + preSample + preBuy, 0),
      since,
    );
  }
  return isNarrowed(withoutStatus(filter)) ? 'in this filter' : undefined;
}
