import { MOST_ABANDONED } from '@site/schema/money';
import { Link } from 'react-router-dom';
import { CloseIcon } from '../../../ui/icons.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import styles from './ListTools.module.css';
import { useAbandonedCheckouts } from './use-abandoned-checkouts.ts';

/** Counts the leads that abandoned their checkout, and switches that filter on and off. Absent while there are none. */
export function AbandonedCheckoutsLink({ filter }: { filter: ListFilter }) {
  const count = useAbandonedCheckouts(filter);
  const isOn = filter.checkout === 'abandoned';
  if (!isOn && count === 0) return null;
  const to = isOn
    ? { ...filter, checkout: undefined }
    : { ...filter, status: undefined, checkout: 'abandoned' as const };
  return (
    <p className={styles.abandoned}>
      <Link to={{ search: toQuery(to) }} aria-current={isOn ? 'true' : undefined}>
        Checkout given up{' '}
        <span className={styles.count}>
          {Math.min(count, MOST_ABANDONED).toLocaleString('en-GB')}
          {count > MOST_ABANDONED && '+'}
        </span>
        {isOn && (
          <>
            <span className="visually-hidden"> (show the others again)</span>
            <CloseIcon />
          </>
        )}
      </Link>
    </p>
  );
}
