import { useState } from 'react';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { describeFilter } from '../filters/filter-labels.ts';
import type { useLiveLeads } from '../live/use-live-leads.ts';

/** What a filter has left, once for each that is shown: what comes and goes afterwards would never let the ear rest. */
export function useSearchMatches(
  filter: ListFilter,
  {
    hasLoaded,
    statusCounts,
    isCapped,
  }: Pick<ReturnType<typeof useLiveLeads>, 'hasLoaded' | 'statusCounts' | 'isCapped'>,
): string {
  const query = toQuery(filter);
  const [found, setFound] = useState<{ query: string; words: string }>();
  if (hasLoaded && statusCounts && found?.query !== query) {
    const count = statusCounts[filter.status ?? 'all'];
    setFound({ query, words: `${describeCount(count, isCapped)}: ${describeFilter(filter)}` });
  }
  return found?.query === query ? found.words : '';
}

function describeCount(count: number, isCapped: boolean): string {
  if (count === 0) return 'No leads';
  return `${count.toLocaleString('en-GB')}${isCapped ? ' or more' : ''} ${count === 1 ? 'lead' : 'leads'}`;
}
