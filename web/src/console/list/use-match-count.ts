import { useState } from 'react';
import { formatCount } from '../elements/format-count.ts';
import { describeFilter } from '../filters/filter-labels.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import type { LiveLeads } from './use-live-leads.ts';

type Counted = Pick<LiveLeads, 'hasLoaded' | 'statusCounts' | 'isCapped'>;

/** Says how many leads a filter matches, for screen readers: once per filter, and not again as leads arrive. */
export function useMatchCount(filter: ListFilter, { hasLoaded, statusCounts, isCapped }: Counted): string {
  const query = toQuery(filter);
  const [said, setSaid] = useState<{ query: string; text: string }>();
  if (hasLoaded && statusCounts && said?.query !== query) {
    const count = statusCounts[filter.status ?? 'all'];
    setSaid({ query, text: `${describeCount(count, isCapped)}: ${describeFilter(filter)}` });
  }
  return said?.query === query ? said.text : '';
}

function describeCount(count: number, isCapped: boolean): string {
  if (count === 0) return 'No leads';
  return `${formatCount(count)}${isCapped ? ' or more' : ''} ${count === 1 ? 'lead' : 'leads'}`;
}
