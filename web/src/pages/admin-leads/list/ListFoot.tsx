import { LEADS_PER_PAGE } from '@site/schema/admin';
import { describeFault } from '../call-fault.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { CONSOLE_KEYS } from '../keyboard/keyboard.ts';
import { LinkButton } from '../LinkButton.tsx';
import styles from './ListFoot.module.css';
import type { useLiveLeads } from '../live/use-live-leads.ts';

type ListFootProps = {
  filter: ListFilter;
  list: ReturnType<typeof useLiveLeads>;
  areKeysOn: boolean;
  onShowKeys: () => void;
};

const SHORT_KEYS = [
  { keys: ['/'], does: 'search' },
  { keys: ['j', 'k'], does: 'rows' },
  { keys: ['Enter'], does: 'open' },
  { keys: ['r'], does: 'retry' },
];

/** How much of the list is shown, the way to more of it, and the keys. */
export function ListFoot({ filter, list, areKeysOn, onShowKeys }: ListFootProps) {
  const { leads, moreFault, isLoadingMore } = list;
  return (
    <footer className={styles.foot}>
      <p className={styles.extent} tabIndex={-1}>
        {leads.length > 0 && <span>{describeExtent(filter, list)} </span>}
        {moreFault !== undefined && <strong>{describeFault(moreFault)} </strong>}
        {list.hasMore && leads.length > 0 && (
          // It stays while it loads: what goes takes the focus with it.
          <LinkButton
            aria-disabled={isLoadingMore || undefined}
            onClick={() => {
              if (!isLoadingMore) void list.loadMore();
            }}
          >
            {isLoadingMore ? 'Loading leads...' : moreFault === undefined ? `Load ${LEADS_PER_PAGE} more` : 'Try again'}
          </LinkButton>
        )}
      </p>
      <ul className={styles.keys} aria-label="Keys">
        {(areKeysOn ? SHORT_KEYS : []).map(({ keys, does }) => (
          <li key={does}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {does}
          </li>
        ))}
        <li>
          <button type="button" onClick={onShowKeys}>
            {areKeysOn && <kbd>{CONSOLE_KEYS.find((entry) => entry.command === 'help')?.key}</kbd>}
            all keys
          </button>
        </li>
      </ul>
    </footer>
  );
}

function describeExtent({ sort, status }: ListFilter, list: ReturnType<typeof useLiveLeads>): string {
  const order = sort === 'oldest' ? 'oldest first' : 'newest first';
  const shown = list.leads.length.toLocaleString('en-GB');
  const total =
    list.statusCounts === undefined
      ? ''
      : ` of ${list.statusCounts[status ?? 'all'].toLocaleString('en-GB')}${list.isCapped ? '+' : ''}`;
  return `Rows 1 to ${shown}${total}, ${order}.`;
}
