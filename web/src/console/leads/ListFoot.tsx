import { LEADS_PER_PAGE } from '@site/schema/calls/leads';
import { formatCount } from '../shared/format-count.ts';
import { describeFault } from '../api/call-fault.ts';
import { Key } from '../shared/Key.tsx';
import { CallLink } from '../shared/LinkButton.tsx';
import type { ListFilter } from '../shared/filter-params.ts';
import { useKeys } from '../shared/KeyCommands.tsx';
import styles from './ListFoot.module.css';
import type { LiveLeads } from './use-live-leads.ts';

type ListFootProps = { filter: ListFilter; list: LiveLeads };

const SHORT_KEYS = [
  { press: ['/'], does: 'search' },
  { press: ['j', 'k'], does: 'rows' },
  { press: ['Enter'], does: 'open' },
  { press: ['r'], does: 'retry' },
];

/** How many leads are shown, a way to load more, and the keyboard shortcuts. */
export function ListFoot({ filter, list }: ListFootProps) {
  const keys = useKeys();
  const { leads, moreFault, isLoadingMore } = list;
  const counted = list.statusCounts && list.statusCounts[filter.status ?? 'all'] + list.moved;
  // The counts may be of a moment before.
  const total = list.hasMore ? counted : leads.length + list.joined;
  const left =
    total === undefined || list.isCapped
      ? LEADS_PER_PAGE
      : Math.min(LEADS_PER_PAGE, Math.max(1, total - leads.length));
  const order = filter.sort === 'oldest' ? 'oldest first' : 'newest first';
  const of = total === undefined ? '' : ` of ${formatCount(total, list.isCapped)}`;
  return (
    <footer className={styles.foot}>
      <p className={styles.extent} tabIndex={-1}>
        {leads.length > 0 && (
          <span>
            Rows 1 to {formatCount(leads.length)}
            {of}, {order}
            {list.hasMore && <span className={styles.onPaper}>; the CSV has all of them</span>}
            .{' '}
          </span>
        )}
        {moreFault !== undefined && <strong>{describeFault(moreFault)} </strong>}
        {list.hasMore && leads.length > 0 && (
          // It stays while loading, so that it keeps the focus.
          <CallLink
            aria-disabled={isLoadingMore || undefined}
            onClick={() => {
              if (!isLoadingMore) void list.loadMore();
            }}
          >
            {isLoadingMore
              ? 'Loading leads...'
              : moreFault === undefined
                ? `Load ${left} more`
                : 'Try again'}
          </CallLink>
        )}
      </p>
      <ul className={styles.keys} aria-label="Keyboard shortcuts">
        {(keys.areOn ? SHORT_KEYS : []).map(({ press, does }) => (
          <li key={does}>
            {press.map((key) => (
              <Key key={key}>{key}</Key>
            ))}
            {does}
          </li>
        ))}
        <li>
          <button type="button" onClick={keys.showList}>
            {keys.areOn && <Key>?</Key>}
            all shortcuts
          </button>
        </li>
      </ul>
    </footer>
  );
}
