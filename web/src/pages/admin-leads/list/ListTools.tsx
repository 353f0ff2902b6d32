import type { StatusCounts } from '@site/schema/admin';
import { BEEHIIV_STATUSES } from '@site/schema/lead';
import type { BeehiivStatus } from '@site/schema/lead';
import type { Ref } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../ui/Button.tsx';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { AbandonedCheckoutsLink } from '../money/AbandonedCheckoutsLink.tsx';
import { STATUS_NAMES } from './lead-labels.ts';
import styles from './ListTools.module.css';
import { SearchBox } from '../filters/SearchBox.tsx';

type ListToolsProps = {
  filter: ListFilter;
  /** How many leads each status has, and all of them; unknown while the list loads. */
  counts: (StatusCounts & { all: number }) | undefined;
  isCapped: boolean;
  onSignedOut: () => void;
  /** What a retry of several would take, and how many they are. */
  retryMany: { label: string; onPress: () => void } | undefined;
  searchInput: Ref<HTMLInputElement>;
  onShow: (filter: ListFilter, how?: { replace: boolean }) => void;
};

const TABS: readonly (BeehiivStatus | undefined)[] = [undefined, ...BEEHIIV_STATUSES];

/** What narrows the list from right above it: a status, and words. */
export function ListTools({ filter, counts, isCapped, retryMany, searchInput, onShow, onSignedOut }: ListToolsProps) {
  return (
    <div className={styles.tools}>
      <nav className={styles.tabs} aria-label="Status">
        {TABS.map((status) => (
          <Link
            key={status ?? 'all'}
            to={{ search: toQuery({ ...filter, status }) }}
            aria-current={filter.status === status ? 'true' : undefined}
          >
            {status ? STATUS_NAMES[status] : 'All'}{' '}
            {counts && (
              <span className={styles.count}>
                {counts[status ?? 'all'].toLocaleString('en-GB')}
                {isCapped && '+'}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <AbandonedCheckoutsLink filter={filter} onSignedOut={onSignedOut} />
      {retryMany && (
        <Button look="line" size="small" className={styles.many} onClick={retryMany.onPress}>
          {retryMany.label}
        </Button>
      )}
      <SearchBox
        ref={searchInput}
        words={filter.search ?? ''}
        onSearch={(words) => {
          // One search is one step back, however many times it was typed on.
          onShow({ ...filter, search: words }, { replace: filter.search !== undefined });
        }}
      />
    </div>
  );
}
