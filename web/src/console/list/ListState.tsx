import { Link } from 'react-router-dom';
import { describeFault } from '../api/call-fault.ts';
import { LoadAgain, LoadFault } from '../elements/LoadState.tsx';
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
    <div className={styles.state}>
      <LoadFault title="The list could not be loaded">
        {describeFault(fault)} Nothing was changed. <LoadAgain fault={fault} onTryAgain={onTryAgain} />
      </LoadFault>
    </div>
  );
}
