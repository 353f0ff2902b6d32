import { LEAD_STATUS_FILTERS } from '@site/schema/lead';
import { Link } from 'react-router-dom';
import { STATUS_NAMES } from '@site/schema/labels';
import { BulkButtons } from '../retry/BulkButtons.tsx';
import { toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { formatCount } from '../shared/format.ts';
import { SearchBox } from '../shared/SearchBox.tsx';
import styles from './Leads.module.css';
import type { LeadList } from './use-lead-list.ts';

type ListToolsProps = {
  filter: ListFilter;
  showFilter: (filter: ListFilter, how: { replace: boolean }) => void;
  list: LeadList;
};

/**
 * Renders the tools above the list: tabs by status, actions for all leads of the tab, and the
 * search.
 */
export function ListTools({ filter, showFilter, list }: ListToolsProps) {
  const { statusCounts, isCapped } = list;
  return (
    <div className={styles.tools}>
      <StatusTabs filter={filter} statusCounts={statusCounts} isCapped={isCapped} />
      <TabActions filter={filter} statusCounts={statusCounts} />
      <SearchBox
        label="Search name, email, company"
        words={filter.search ?? ''}
        onSearch={(words) => {
          // Refining a search replaces the history entry, so that one step back leaves it.
          showFilter({ ...filter, search: words }, { replace: filter.search !== undefined });
        }}
      />
    </div>
  );
}

type TabProps = { filter: ListFilter } & Pick<LeadList, 'statusCounts' | 'isCapped'>;

const TABS = [undefined, ...LEAD_STATUS_FILTERS];

/** Narrows the list by status. */
function StatusTabs({ filter, statusCounts, isCapped }: TabProps) {
  return (
    <nav className="tabs" aria-label="Status">
      {TABS.map((status) => (
        <Link
          key={status ?? 'all'}
          to={{ search: toQuery({ ...filter, status }) }}
          aria-current={filter.status === status ? 'true' : undefined}
        >
          {status ? STATUS_NAMES[status] : 'All'}{' '}
          {statusCounts && <small>{formatCount(statusCounts[status ?? 'all'], isCapped)}</small>}
        </Link>
      ))}
    </nav>
  );
}

/** Retries all failed leads that match, or sends or deletes all quarantined leads. */
function TabActions({ filter, statusCounts }: Omit<TabProps, 'isCapped'>) {
  const { sort: _, ...matching } = filter;
  const { status } = filter;
  const count = (status && statusCounts?.[status]) ?? 0;
  if (count === 0) return null;
  if (status === 'failed')
    return (
      <BulkButtons
        retry={{
          label: 'Retry failed…',
          title: 'Retry failed leads',
          filter: { ...matching, status: undefined },
        }}
      />
    );
  return (
    status === 'quarantined' && (
      <BulkButtons
        send={{ label: 'Send all…', title: 'Send quarantined leads', filter: matching }}
        remove={{ label: 'Delete all…', choice: { filter: matching }, count }}
      />
    )
  );
}
