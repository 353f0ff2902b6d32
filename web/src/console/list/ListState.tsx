import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { FailedIcon } from '../../ui/icons.tsx';
import { describeFault, isAway } from '../api/call-fault.ts';
import { describeTry, LOADS_ITSELF } from '../elements/LoadState.tsx';
import { isNarrowed, toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { describeFilter } from '../filters/filter-labels.ts';
import styles from './ListState.module.css';

/** Says that no lead matches, names the filter and offers to clear it. */
export function EmptyState({ filter }: { filter: ListFilter }) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>No leads found</p>
      {isNarrowed(filter) ? (
        <>
          <p className={styles.words}>
            <bdi>{describeFilter(filter)}</bdi>.
          </p>
          <Link to={{ search: toQuery({ sort: filter.sort }) }}>Clear filters</Link>
        </>
      ) : (
        <p className={styles.words}>The first one will appear here.</p>
      )}
    </div>
  );
}

/** Says why the list could not be loaded. It never says that no leads were found, because nobody knows. */
export function FaultState({ fault, onTryAgain }: { fault: unknown; onTryAgain: () => Promise<unknown> }) {
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>
        <FailedIcon />
        The list could not be loaded
      </p>
      <p className={styles.words}>
        {describeFault(fault)} Nothing was changed. {isAway(fault) && LOADS_ITSELF}
      </p>
      <Button look="line" size="small" onClick={() => void onTryAgain()}>
        {describeTry(fault)}
      </Button>
    </div>
  );
}
