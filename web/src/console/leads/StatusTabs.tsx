import { LEAD_STATUS_FILTERS } from '@site/schema/calls/lead-filter';
import { MAX_ABANDONED } from '@site/schema/calls/leads';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { STATUS_NAMES } from '../lead/lead-labels.ts';
import { toQuery, withoutSort, withoutStatus } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { formatCount } from '../shared/format.ts';
import styles from './Leads.module.css';
import type { LeadList } from './use-lead-list.ts';

const TABS = [undefined, ...LEAD_STATUS_FILTERS];

type StatusTabsProps = { filter: ListFilter } & Pick<LeadList, 'statusCounts' | 'isCapped'>;

/** Narrows the list by status, or to abandoned checkouts. */
export function StatusTabs({ filter, statusCounts, isCapped }: StatusTabsProps) {
  const query = { ...withoutSort(withoutStatus(filter)), checkout: undefined };
  // Counted apart, so that the list never waits for it.
  const { data } = useApiData(
    'GET /api/admin/money/abandoned-checkouts',
    { query },
    { keepPreviousData: true },
  );
  // There are mostly no corrected leads.
  const shown = TABS.filter(
    (status) => status !== 'corrected' || filter.status === status || statusCounts?.corrected,
  );
  const isAbandoned = filter.checkout === 'abandoned';
  const abandoned = data?.count ?? 0;
  return (
    <nav className={styles.tabs} aria-label="Status">
      {shown.map((status) => (
        <Link
          key={status ?? 'all'}
          to={{ search: toQuery({ ...filter, status, checkout: undefined }) }}
          aria-current={filter.status === status && !isAbandoned ? 'true' : undefined}
        >
          {status ? STATUS_NAMES[status] : 'All'}{' '}
          {!isAbandoned && statusCounts && (
            <small>{formatCount(statusCounts[status ?? 'all'], isCapped)}</small>
          )}
        </Link>
      ))}
      {(isAbandoned || abandoned > 0) && (
        <Link
          to={{ search: toQuery({ ...filter, status: undefined, checkout: 'abandoned' }) }}
          aria-current={isAbandoned ? 'true' : undefined}
        >
          Abandoned checkouts{' '}
          {data && (
            <small>
              {formatCount(Math.min(abandoned, MAX_ABANDONED), abandoned > MAX_ABANDONED)}
            </small>
          )}
        </Link>
      )}
    </nav>
  );
}
