import { LEAD_STATUS_FILTERS } from '@site/schema/calls/lead-filter';
import type { LeadStatusFilter } from '@site/schema/calls/lead-filter';
import type { StatusCounts } from '@site/schema/calls/leads';
import { useMemo, useState } from 'react';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { formatCount } from '../shared/format-count.ts';
import { MoreTabs } from '../shared/MoreTabs.tsx';
import { useNarrow } from '../shared/use-media.ts';
import { toQuery, withoutSort, withoutStatus } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { SearchBox } from '../shared/SearchBox.tsx';
import { STATUS_NAMES } from '../lead/lead-labels.ts';
import { AbandonedCheckoutsLink } from './AbandonedCheckoutsLink.tsx';
import styles from './ListTools.module.css';

type ListToolsProps = {
  filter: ListFilter;
  /** How many leads have each status, and how many there are. Unknown while the list loads. */
  counts: (StatusCounts & { all: number }) | undefined;
  isCapped: boolean;
  searchInput: Ref<HTMLInputElement>;
  /** Leads from the search into the rows. */
  onDown: () => void;
  onShow: (filter: ListFilter, how?: { replace: boolean }) => void;
  /** An action on the leads of the list. */
  children: ReactNode;
};

const TABS: readonly (LeadStatusFilter | undefined)[] = [undefined, ...LEAD_STATUS_FILTERS];
/** On a phone these are behind "More". */
const FURTHER: readonly (LeadStatusFilter | undefined)[] = ['quarantined', 'corrected'];

/** Narrows the list by status, abandoned checkout and search. */
export function ListTools({
  filter,
  counts,
  isCapped,
  searchInput,
  onDown,
  onShow,
  children,
}: ListToolsProps) {
  const isNarrow = useNarrow();
  // The tabs lead away from the abandoned checkouts, which the counts of the list are about.
  const query = { ...withoutSort(withoutStatus(filter)), checkout: undefined, newerThan: null };
  const { data } = useApiData('GET /api/admin/leads/counts', filter.checkout ? { query } : null);
  const others = useMemo(() => data && { ...data.statusCounts, all: data.counts.total }, [data]);
  const known = filter.checkout ? others : counts;
  const [last, setLast] = useState(known);
  if (known !== undefined && known !== last) setLast(known);
  // There are mostly no corrected leads, and then they have no tab.
  const shown = TABS.filter(
    (status) => filter.status === status || status !== 'corrected' || last?.corrected,
  );
  const toTab = (status: LeadStatusFilter | undefined) => (
    <Link
      key={status ?? 'all'}
      to={{ search: toQuery({ ...filter, status, checkout: undefined }) }}
      aria-current={filter.status === status && !filter.checkout ? 'true' : undefined}
    >
      <span>{status ? STATUS_NAMES[status] : 'All'}</span>{' '}
      {/* Unknown counts keep their place, so that no tab moves under the pointer. */}
      <span className={styles.count} data-away={known === undefined || undefined}>
        {formatCount(last?.[status ?? 'all'] ?? 0, filter.checkout ? data?.isCapped : isCapped)}
      </span>
    </Link>
  );
  const further = isNarrow ? shown.filter((status) => FURTHER.includes(status)) : [];
  const countOf = (count: number | undefined) =>
    count === undefined ? '' : ` ${formatCount(count, isCapped)}`;
  const chosen = filter.checkout
    ? `Abandoned${countOf(counts?.all)}`
    : filter.status && FURTHER.includes(filter.status)
      ? `${STATUS_NAMES[filter.status]}${countOf(last?.[filter.status])}`
      : undefined;
  return (
    <div className={styles.tools}>
      <div className={styles.tabs}>
        <nav aria-label="Status">
          {shown.filter((status) => !further.includes(status)).map(toTab)}
          {isNarrow && (
            <MoreTabs chosen={chosen}>
              {further.map(toTab)}
              <AbandonedCheckoutsLink filter={filter} />
            </MoreTabs>
          )}
        </nav>
        {!isNarrow && <AbandonedCheckoutsLink filter={filter} />}
      </div>
      {children}
      <SearchBox
        ref={searchInput}
        onDown={onDown}
        words={filter.search ?? ''}
        onSearch={(words) => {
          // Refining a search replaces the history entry, so that one step back leaves it.
          onShow({ ...filter, search: words }, { replace: filter.search !== undefined });
        }}
      />
    </div>
  );
}
