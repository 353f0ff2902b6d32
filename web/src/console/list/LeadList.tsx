import { useNarrow } from '../elements/use-media.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { LeadCards } from './LeadCards.tsx';
import styles from './LeadList.module.css';
import type { LeadRows } from './lead-rows.ts';
import { LeadTable } from './LeadTable.tsx';
import { EmptyState, FaultState } from './ListState.tsx';
import type { LiveLeads } from './use-live-leads.ts';
import { useMatchCount } from './use-match-count.ts';

type LeadListProps = { filter: ListFilter; list: LiveLeads; rows: LeadRows; isFirstRun: boolean };

/** The leads as a table, or as cards on a phone. Without leads it says why there are none. */
export function LeadList({ filter, list, rows, isFirstRun }: LeadListProps) {
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
      {isNarrow || isFirstRun ? (
        <LeadCards rows={rows} instead={instead} />
      ) : (
        <LeadTable rows={rows} filter={filter} instead={instead} />
      )}
      <output className="visually-hidden">{matchCount}</output>
      <output className={styles.loading}>{list.isSlow && 'Loading leads...'}</output>
    </>
  );
}
