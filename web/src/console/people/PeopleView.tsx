import { MAX_EXPORTED_IDS } from '@site/schema/calls/leads';
import { ROWS_PER_PAGE } from '@site/schema/calls/money';
import { PEOPLE_LISTS, PERSON_STATES } from '@site/schema/calls/people';
import type { PeopleList } from '@site/schema/calls/people';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { findHeading } from '../../ui/find-heading.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { formatCount } from '../shared/format-count.ts';
import { Key } from '../shared/Key.tsx';
import { CallButton } from '../shared/CallButton.tsx';
import { CallLink, LinkButton } from '../shared/LinkButton.tsx';
import { Empty, LoadState } from '../shared/LoadState.tsx';
import { useNarrow } from '../shared/use-media.ts';
import { ViewHead } from '../shared/ViewHead.tsx';
import { ExportCsv } from '../shared/ExportCsv.tsx';
import { SearchBox } from '../shared/SearchBox.tsx';
import { useKeys } from '../shared/use-keys.ts';
import { toPeopleList } from '../navigation/person.ts';
import { GiveAccessDialog } from '../person/dialogs/Access.tsx';
import { moveToRow } from '../shared/focus.ts';
import { useNow } from '../shared/use-now.ts';
import { HeldAddress } from '../person/HeldData.tsx';
import { STATE_NAMES } from './people-labels.ts';
import styles from './PeopleView.module.css';
import { PersonRow } from './PersonRow.tsx';
import { usePeople, usePeopleSearch } from './use-people.ts';
const LABEL = 'Search people';
const HINT = 'Name, address, company, whole phone number, note, invoice, Stripe id';
const LISTS = [undefined, ...PEOPLE_LISTS];
const IS_PHONE = /^[\d\s+()-]+$/u;
const IS_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;

/** One search over everybody who left an address, pays or paid. */
export function PeopleView() {
  const { text, state, search, isFocused } = usePeopleSearch();
  const { people, counts, isCapped, hasMore, loadMore, isOutdated, reload, fault } = usePeople(
    text,
    state,
  );
  const [isGiving, setGiving] = useState(false);
  const now = useNow(false);
  const isNarrow = useNarrow();
  const box = useRef<HTMLInputElement>(null);
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFocused) box.current?.focus();
  }, [isFocused]);
  const move = (step: 1 | -1) => moveToRow(view.current, step);
  useKeys({
    '/': () => box.current?.select(),
    j: () => move(1),
    k: () => move(-1),
    Enter: () => document.activeElement?.querySelector<HTMLElement>('th a')?.click(),
  });
  const showNew = () => {
    // The button disappears.
    findHeading()?.focus({ preventScroll: true });
    void reload();
  };
  const total = counts && PERSON_STATES.reduce((sum, each) => sum + counts[each], 0);
  const ids = people?.flatMap(({ leadIds }) => leadIds[0] ?? []) ?? [];
  const shown = formatCount(
    (state === undefined ? total : counts?.[state]) ?? 0,
    isCapped && (state === undefined || state === 'listed'),
  );
  const isCut = shown.endsWith('+') && !hasMore;
  const toTab = (each: PeopleList | undefined) => (
    <Tab
      key={each ?? 'all'}
      state={each}
      count={each === undefined ? total : counts?.[each]}
      isCapped={isCapped && (each === undefined || each === 'listed')}
      isCurrent={state === each}
    />
  );
  const heads = ['Person', ...(text === '' ? [] : ['Found in']), 'Now', 'Last event', 'Paid, net'];
  return (
    <div ref={view} className={styles.view}>
      <ViewHead
        title="People"
        range={
          // It keeps its room, so that nothing moves.
          <span className={styles.range}>
            <span data-away={isOutdated || undefined}>
              everyone who left an address, pays or paid
            </span>
            {isOutdated && <LinkButton onClick={showNew}>Show what has changed</LinkButton>}
          </span>
        }
        actions={
          <>
            <CallButton look="line" onClick={() => setGiving(true)}>
              Give access…
            </CallButton>
            {(people ? people.length > 0 : text === '' && state === undefined) && (
              <ExportCsv {...toExport(text, state, ids, hasMore)} />
            )}
          </>
        }
      />
      <div className={styles.box}>
        <SearchBox
          ref={box}
          label={LABEL}
          hint={isNarrow ? 'Name, address, invoice, note' : HINT}
          words={text}
          onSearch={search}
          onDown={() => move(1)}
        />
      </div>
      <p className={styles.help}>
        <Key>/</Key> from anywhere, <Key>↓</Key> <Key>↑</Key> to choose, <Key>Enter</Key> to open,{' '}
        <Key>Esc</Key> to clear.
      </p>
      {!(total === 0 && text === '' && state === undefined) && (
        <nav className={styles.tabs} aria-label="People">
          {LISTS.map(toTab)}
        </nav>
      )}
      <LoadState of="people" data={people} fault={fault} reload={reload} />
      {people?.length === 0 && (
        <Empty
          title={
            text !== ''
              ? `Nobody matches “${text}”`
              : state === undefined
                ? 'No people yet'
                : 'No one here'
          }
        >
          {text !== '' ? (
            <>
              {IS_PHONE.test(text) && 'A phone number is found when it is whole. '}
              <LinkButton onClick={() => search('')}>Clear the search</LinkButton>
            </>
          ) : state === undefined ? (
            'Everyone who fills in a form or pays appears here.'
          ) : (
            `No one is in the list “${STATE_NAMES[state]}” now.`
          )}
        </Empty>
      )}
      {people && people.length > 0 && (
        <DataTable
          name="People"
          heads={heads}
          widths={
            text === '' ? ['34%', '28%', 'auto', '11%'] : ['28%', '14%', '26%', 'auto', '10%']
          }
          numbersFrom={heads.length - 1}
          isStacking
        >
          {people.map((person) => (
            <PersonRow
              key={person.email}
              person={person}
              found={{ text, state }}
              now={now}
              onSearch={(words) => {
                search(words);
                if (words === '') box.current?.focus();
              }}
            />
          ))}
        </DataTable>
      )}
      {people && IS_ADDRESS.test(text) && people.every(({ leadIds }) => leadIds.length === 0) && (
        <HeldAddress email={text} />
      )}
      <output className={styles.foot}>
        {people && people.length > 0 && (
          <>
            {isCut
              ? `The first ${formatCount(people.length)}`
              : people.length < Number(shown) || hasMore
                ? `${formatCount(people.length)} of ${shown}`
                : shown}{' '}
            {shown === '1' ? 'person' : 'people'}
            {text === '' ? ', newest leads and subscriptions first.' : '.'}{' '}
            {isCut && text !== '' && 'A longer search finds the others.'}
          </>
        )}
        {hasMore && (
          <CallLink onClick={() => void loadMore()}>
            Load {Math.min(ROWS_PER_PAGE, Number(shown) - (people?.length ?? 0)) || ROWS_PER_PAGE}{' '}
            more
          </CallLink>
        )}
      </output>
      {isGiving && (
        <GiveAccessDialog onClose={() => setGiving(false)} onDone={() => void reload()} />
      )}
    </div>
  );
}

/** Exports every lead, those of the list, or the newest of each person who is shown. */
function toExport(
  text: string,
  state: PeopleList | undefined,
  shown: readonly string[],
  hasMore: boolean,
) {
  const label = 'Export their leads';
  if (text === '' && state === undefined) return { query: {}, label };
  if (text === '' && state === 'on-list')
    return { query: { subscriber: 'confirmed' as const }, label };
  const ids = shown.slice(0, MAX_EXPORTED_IDS);
  const isPart = hasMore || ids.length < shown.length;
  return {
    query: { ids },
    label: isPart ? `Export leads of the first ${formatCount(ids.length)}` : label,
  };
}

type TabProps = {
  state: PeopleList | undefined;
  count: number | undefined;
  isCapped: boolean;
  isCurrent: boolean;
};

function Tab({ state, count, isCapped, isCurrent }: TabProps) {
  const { state: kept } = useLocation() as { state: unknown };
  return (
    <Link
      to={{ search: toPeopleList(state) }}
      state={kept}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span>{state === undefined ? 'Everyone' : STATE_NAMES[state]}</span>{' '}
      <small>{count !== undefined && formatCount(count, isCapped)}</small>
    </Link>
  );
}
