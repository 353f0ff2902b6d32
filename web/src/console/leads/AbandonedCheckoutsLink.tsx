import { MAX_ABANDONED } from '@site/schema/calls/leads';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { CloseIcon } from '../../ui/icons.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { formatCount } from '../shared/format-count.ts';
import { toQuery, withoutSort, withoutStatus } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { useMoneyReload } from '../api/use-money-reload.ts';
import styles from './ListTools.module.css';

/** Counts the leads that abandoned their checkout, apart so that the list never waits for it, and switches that filter on and off. Absent while there are none. */
export function AbandonedCheckoutsLink({ filter }: { filter: ListFilter }) {
  const { data, fault, isOwn, reload } = useApiData(
    'GET /api/admin/money/abandoned-checkouts',
    { query: { ...withoutSort(withoutStatus(filter)), checkout: undefined } },
    { keepPreviousData: true },
  );
  useMoneyReload(reload);
  const [last, setLast] = useState(0);
  if (data && data.count !== last) setLast(data.count);
  const count = data || fault !== undefined ? last : 0;
  const isOn = filter.checkout === 'abandoned';
  if (!isOn && count === 0) return null;
  const to = toQuery({ ...filter, status: undefined, checkout: isOn ? undefined : 'abandoned' });
  return (
    <p className={styles.abandoned}>
      <Link to={{ search: to }} aria-current={isOn ? 'true' : undefined}>
        <span>Abandoned checkouts</span>{' '}
        <span className={styles.count}>
          {isOwn && formatCount(Math.min(count, MAX_ABANDONED), count > MAX_ABANDONED)}
        </span>
        {isOn && (
          <>
            <span className="visually-hidden"> (show all leads)</span>
            <CloseIcon />
          </>
        )}
      </Link>
    </p>
  );
}
