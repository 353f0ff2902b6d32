import { useState } from 'react';
import { formatCount } from '../shared/format-count.ts';
import { useNarrow } from '../shared/use-media.ts';
import { describeFilter } from '../lead/filter-labels.ts';
import { toQuery } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { LeadCards } from './LeadCards.tsx';
import styles from './LeadList.module.css';
import type { LeadRows } from './lead-rows.ts';
import { LeadTable } from './LeadTable.tsx';
import { EmptyState, FaultState } from './ListState.tsx';
import type { LiveLeads } from './use-live-leads.ts';

type LeadListProps = { filter: ListFilter; list: LiveLeads; rows: LeadRows };

/** The leads as a table, or as cards on a phone. Without leads it says why there are none. */
export function LeadList({ filter, list, rows }: LeadListProps) {
  const isNarrow = useNarrow();
  const matchCount = useMatchCount(filter, list);
  const instead =
    list.fault !== undefined ? (
      <FaultState fault={list.fault} onTryAgain={list.reload} />
    ) : list.hasLoaded && list.leads.length === 0 ? (
      <EmptyState filter={filter} />
    ) : undefined;
  return (
    <>
      {isNarrow ? (
        <LeadCards rows={rows} canSelectAll={filter.status !== undefined} instead={instead} />
      ) : (
        <LeadTable rows={rows} filter={filter} instead={instead} />
      )}
      <output className="visually-hidden">{matchCount}</output>
      <output className={styles.loading}>{list.isSlow && 'Loading leads...'}</output>
    </>
  );
}

/** Says how many leads a filter matches, for screen readers: once per filter, and not again as leads arrive. */
function useMatchCount(
  filter: ListFilter,
  { hasLoaded, statusCounts, isCapped }: LiveLeads,
): string {
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
