import { PEOPLE_LISTS, PERSON_STATES } from '@site/schema/person-state';
import type { PeopleList } from '@site/schema/person-state';
import { tidyEmail } from '@site/schema/email';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { STATE_NAMES } from '@site/schema/labels';
import { toPerson } from '../navigation.ts';
import { GiveAccessDialog } from '../person/dialogs/Access.tsx';
import { PaymentLinkDialog } from '../person/dialogs/PaymentLink.tsx';
import { HeldEmail } from '../person/HeldData.tsx';
import { useIsViewer } from '../session/session.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { moveToRow, openRow, useListKeys } from '../shared/focus.ts';
import { formatCount } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import { Empty, LoadState } from '../shared/LoadState.tsx';
import { SearchBox } from '../shared/SearchBox.tsx';
import { useNow } from '../shared/use-now.ts';
import { PeopleHead } from './PeopleHead.tsx';
import { toColumns } from './people-columns.tsx';
import { IS_EMAIL, toPeopleQuery, usePeople, usePeopleSearch } from './people.ts';
import styles from './PeopleView.module.css';

const LISTS = [undefined, ...PEOPLE_LISTS];
const IS_PHONE = /^[\d\s+()-]+$/u;

/** Searches everybody who left an email, pays or paid. */
export function PeopleView() {
  const { text, filter, search } = usePeopleSearch();
  const { state, group, plan, startDate, endDate } = filter;
  const { people, isOwn, counts, isCapped, hasMore, loadMore, reload, failure } = usePeople(
    text,
    filter,
  );
  const [open, setOpen] = useState<{ what: 'give' | 'link'; email?: string }>();
  const entered = useRef('');
  const navigate = useNavigate();
  const openOnly = () => {
    if (!isOwn || text === '' || entered.current !== text) return;
    entered.current = '';
    const [only] = people?.length === 1 ? people : [];
    if (only?.leadIds[0]) void navigate({ search: toPerson(only.leadIds[0]) });
  };
  const openFound = useEffectEvent((_isOwn: boolean, _text: string) => openOnly());
  useEffect(() => openFound(isOwn, text), [isOwn, text]);
  const isViewer = useIsViewer();
  const now = useNow(false);
  useListKeys(moveToRow);
  const countOf = (each: PeopleList | undefined) =>
    counts &&
    formatCount(
      each ? (counts[each] ?? 0) : PERSON_STATES.reduce((sum, of) => sum + (counts[of] ?? 0), 0),
      isCapped && (each === undefined || each === 'none' || each === 'on-list'),
    );
  // Counts ignore the filter within a list, so a filtered list shows no total.
  const isNarrowed = text === '' && (group ?? plan ?? startDate ?? endDate) !== undefined;
  const total = countOf(state);
  const email = tidyEmail(text);
  // Somebody may be in another list.
  const isUnknown =
    !isViewer &&
    people?.length === 0 &&
    IS_EMAIL.test(email) &&
    PERSON_STATES.every((each) => !counts?.[each]);
  const dialog = { onClose: () => setOpen(undefined), onDone: () => void reload() };
  return (
    <div className={styles.view}>
      <PeopleHead text={text} filter={filter} onGive={() => setOpen({ what: 'give' })} />
      <SearchBox
        label="Search people"
        hint="Name, email, company, phone, note, invoice"
        words={text}
        onSearch={search}
        onEnter={(words) => {
          entered.current = words;
          openOnly();
        }}
      />
      <nav className="tabs" aria-label="People">
        {LISTS.map((each) => (
          <Link
            key={each ?? 'all'}
            to={{ search: toPeopleQuery({ ...filter, state: each }) }}
            state={{ text }}
            aria-current={state === each ? 'true' : undefined}
          >
            {each === undefined ? 'Everyone' : STATE_NAMES[each]}{' '}
            <small>{!isNarrowed && countOf(each)}</small>
          </Link>
        ))}
      </nav>
      <LoadState of="people" data={people} failure={failure} reload={reload} />
      {people?.length === 0 && <Nobody text={text} state={state} onSearch={search} />}
      {isUnknown && (
        <div className={styles.unknown}>
          <Button onClick={() => setOpen({ what: 'link', email })}>Payment link…</Button>
          <Button look="line" onClick={() => setOpen({ what: 'give', email })}>
            Free access…
          </Button>
        </div>
      )}
      {people && people.length > 0 && (
        <DataTable
          name="People"
          columns={toColumns(text, filter, now)}
          rows={people}
          keyOf={({ email }) => email}
          rowProps={() => ({ className: styles.row, tabIndex: -1, onClick: openRow })}
        />
      )}
      {!isViewer &&
        people &&
        IS_EMAIL.test(email) &&
        people.every(({ leadIds }) => leadIds.length === 0) && <HeldEmail email={email} />}
      <output className={styles.foot}>
        {people &&
          people.length > 0 &&
          `${formatCount(people.length)} ${isNarrowed ? 'people' : `of ${total}`} `}
        {hasMore && <LinkButton onClick={() => void loadMore()}>Load more</LinkButton>}
      </output>
      {open?.what === 'give' && (
        <GiveAccessDialog
          {...(open.email !== undefined && { person: { email: open.email, subscriptions: [] } })}
          {...dialog}
        />
      )}
      {open?.what === 'link' && open.email !== undefined && (
        <PaymentLinkDialog email={open.email} name={null} {...dialog} />
      )}
    </div>
  );
}

type NobodyProps = {
  text: string;
  state: PeopleList | undefined;
  onSearch: (text: string) => void;
};

function Nobody({ text, state, onSearch }: NobodyProps) {
  if (text !== '')
    return (
      <Empty title={`Nobody matches “${text}”`}>
        {IS_PHONE.test(text) && 'A phone number is found when it is whole. '}
        <LinkButton onClick={() => onSearch('')}>Clear the search</LinkButton>
      </Empty>
    );
  return state === undefined ? (
    <Empty title="No people yet">Everyone who fills in a form or pays appears here.</Empty>
  ) : (
    <Empty title="No one here">No one is in the list “{STATE_NAMES[state]}” now.</Empty>
  );
}
