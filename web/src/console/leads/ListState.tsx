import { toFailureText } from '../api/failure.ts';
import { Link } from 'react-router-dom';
import { toFilterText } from '../lead/filter-labels.ts';
import { toPeopleList } from '../navigation.ts';
import { isNarrowed } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { LIST_ID, useKeySetting } from '../shared/focus.ts';
import { countOf, formatCount } from '../shared/format.ts';
import { Key, LinkButton } from '../shared/fields.tsx';
import { Empty, LoadFailure, Loading } from '../shared/LoadState.tsx';
import styles from './Leads.module.css';
import type { LeadList } from './use-lead-list.ts';

type ListProps = { filter: ListFilter; list: LeadList };

/** Takes the rows' place while the list is loading, unavailable or empty. */
export function Instead({ filter, list }: ListProps) {
  if (list.failure !== undefined)
    return (
      <LoadFailure title="The list could not be loaded" reload={list.reload}>
        {toFailureText(list.failure)}
      </LoadFailure>
    );
  if (list.isLoading) return <Loading of="leads" />;
  return (
    <Empty title="No leads found">
      {isNarrowed(filter) ? `${toFilterText(filter)}. ` : 'The first one will appear here.'}
      {filter.search && (
        <Link to={{ search: toPeopleList(undefined) }} state={{ text: filter.search }}>
          Search people for “{filter.search}”
        </Link>
      )}
    </Empty>
  );
}

/** Shows that newer leads have arrived, and shows them on request. */
export function NewLeads({ list }: Pick<ListProps, 'list'>) {
  return (
    <div className={styles.new}>
      <output className="visually-hidden">{list.newer > 0 && 'New leads have arrived.'}</output>
      {list.newer > 0 && (
        <button
          type="button"
          onClick={() => {
            // The focus moves, because the button disappears.
            document.getElementById(LIST_ID)?.focus();
            void list.showNew();
          }}
        >
          {countOf(list.newer, 'new lead')}
        </button>
      )}
    </div>
  );
}

/** Shows the number of leads on screen, loads more, and lists the keyboard shortcuts. */
export function ListFoot({ filter, list }: ListProps) {
  const keys = useKeySetting();
  const { leads, failure, isLoading, isLoadingMore, hasMore, loadMore, statusCounts, isCapped } =
    list;
  const total = statusCounts?.[filter.status ?? 'all'] ?? leads.length;
  const of = hasMore ? ` of ${formatCount(total, isCapped)}` : '';
  return (
    <footer className={styles.foot}>
      <p>
        {isLoading || isLoadingMore
          ? 'Loading leads... '
          : `Rows 1 to ${formatCount(leads.length)}${of}, ` +
            `${filter.sort === 'oldest' ? 'oldest' : 'newest'} first. `}
        {failure !== undefined && <strong>{toFailureText(failure)} </strong>}
        {hasMore && (
          // The button stays while loading, so that it keeps the focus.
          <LinkButton
            aria-disabled={isLoading || isLoadingMore || undefined}
            onClick={() => !isLoading && !isLoadingMore && void loadMore()}
          >
            Load more
          </LinkButton>
        )}
      </p>
      <p className={styles.keys}>
        {keys.isOn && (
          <>
            <Key>/</Key> search <Key>j</Key> <Key>k</Key> rows <Key>Enter</Key> open{' '}
          </>
        )}
        <LinkButton onClick={keys.toggle}>Turn shortcuts {keys.isOn ? 'off' : 'on'}</LinkButton>
      </p>
    </footer>
  );
}
