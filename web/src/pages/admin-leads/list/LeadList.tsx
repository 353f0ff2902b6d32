import type { ListFilter } from '../filters/filter-params.ts';
import { LeadCards } from './LeadCards.tsx';
import styles from './LeadList.module.css';
import type { LeadRows } from './lead-rows.ts';
import { LeadTable } from './LeadTable.tsx';
import { EmptyState, FaultState } from './ListState.tsx';
import type { useLiveLeads } from '../live/use-live-leads.ts';
import { useSearchMatches } from './use-search-matches.ts';
import { useNarrow } from '../use-narrow.ts';

type LeadListProps = Omit<LeadRows, 'leads' | 'isLoading'> & {
  filter: ListFilter;
  list: ReturnType<typeof useLiveLeads>;
  onTryAgain: () => Promise<unknown>;
};

/** The leads as a table or, on a phone, as cards; in their place what there is to say when there are none. */
export function LeadList({ filter, list, onTryAgain, ...rest }: LeadListProps) {
  const isNarrow = useNarrow();
  const found = useSearchMatches(filter, list);
  const rows: LeadRows = { ...rest, leads: list.leads, isLoading: list.isSlow };
  const instead =
    list.fault !== undefined ? (
      <FaultState fault={list.fault} onTryAgain={onTryAgain} />
    ) : list.hasLoaded && list.leads.length === 0 ? (
      <EmptyState filter={filter} />
    ) : undefined;
  return (
    <>
      {isNarrow ? (
        <LeadCards rows={rows} instead={instead} />
      ) : (
        <LeadTable rows={rows} filter={filter} instead={instead} />
      )}
      <output className="visually-hidden">{found}</output>
      <output className={styles.loading}>{list.isSlow && 'Loading leads...'}</output>
    </>
  );
}
