import { Link } from 'react-router-dom';
import { describeFault } from '../api/call-fault.ts';
import { EmptyView } from '../shared/EmptyView.tsx';
import { LoadAgain, LoadFault } from '../shared/LoadState.tsx';
import { isNarrowed, toQuery } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { describeFilter } from '../lead/filter-labels.ts';
import { STATUS_NAMES } from '../lead/lead-labels.ts';

/** Says that no lead matches, names the filter and offers to clear it. */
export function EmptyState({ filter }: { filter: ListFilter }) {
  if (!isNarrowed(filter))
    return <EmptyView title="No leads found">The first one will appear here.</EmptyView>;
  return (
    <EmptyView title="No leads found">
      {filter.status && !isNarrowed({ ...filter, status: undefined }) ? (
        `No lead is ${STATUS_NAMES[filter.status].toLowerCase()} now.`
      ) : (
        <>
          <bdi>{describeFilter(filter)}</bdi>.{' '}
          {filter.retryRun &&
            filter.status === 'failed' &&
            'What failed then was sent or corrected since. '}
          <Link to={{ search: toQuery({ sort: filter.sort }) }}>Clear filters</Link>
        </>
      )}
    </EmptyView>
  );
}

/** Says why the list could not be loaded. It never says that no leads were found, because nobody knows. */
export function FaultState({
  fault,
  onTryAgain,
}: {
  fault: unknown;
  onTryAgain: () => Promise<unknown>;
}) {
  return (
    <LoadFault title="The list could not be loaded">
      {describeFault(fault)} Nothing was changed.{' '}
      <LoadAgain fault={fault} onTryAgain={onTryAgain} />
    </LoadFault>
  );
}
