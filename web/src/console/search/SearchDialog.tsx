import { tidyEmail } from '@site/schema/email';
import { STATE_NAMES } from '@site/schema/labels';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import { CONSOLE_VIEWS, toPeopleList, toPerson, VIEW_NAMES } from '../navigation.ts';
import { IS_EMAIL, usePeople } from '../people/people.ts';
import { GiveAccessDialog } from '../person/dialogs/Access.tsx';
import { PaymentLinkDialog } from '../person/dialogs/PaymentLink.tsx';
import { useIsViewer, useSession } from '../session/session.ts';
import { LoadState } from '../shared/LoadState.tsx';
import styles from './SearchDialog.module.css';

const SEARCH_AFTER_MS = 200;
/** More are a list in People. */
const MAX_SHOWN = 8;
const VIEWS = [undefined, ...CONSOLE_VIEWS, 'account'] as const;

/** What a view or an action is also searched by. */
const ALSO: Partial<Record<string, string>> = {
  overview: 'call today visits payment link',
  money: 'export refunds',
  people: 'free access refund',
  account: 'settings password operators two-step login',
};

type Choice = { name: string; more?: string; also?: string | undefined; run: () => void };
type SearchDialogProps = { otherTheme: string; onTheme: () => void; onClose: () => void };

/**
 * Finds people, views and actions from every view, by keyboard alone. Without a text it lists the
 * latest people. Offers to invite an email that nobody has.
 */
export function SearchDialog({ otherTheme, onTheme, onClose }: SearchDialogProps) {
  const { logOut } = useSession();
  const isViewer = useIsViewer();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const isEntered = useRef(false);
  const [open, setOpen] = useState<{ what: 'give' | 'link'; email?: string }>();
  const listId = useId();
  const { people = [], isOwn, hasMore, failure, reload } = usePeople(text, {});
  const wanted = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => setText(wanted), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted]);

  const go = (search: string, state?: { text: string }) => () => {
    onClose();
    void navigate({ pathname: '/admin-leads', search }, { state });
  };
  const act = (work: () => unknown) => () => {
    onClose();
    void work();
  };
  const all: Choice[] = [
    ...VIEWS.map((view) => ({
      name: view ? VIEW_NAMES[view] : 'Leads',
      more: 'View',
      also: ALSO[view ?? ''],
      run: go(view ? `view=${view}` : ''),
    })),
    ...(isViewer ? [] : [{ name: 'Give access…', run: () => setOpen({ what: 'give' }) }]),
    { name: otherTheme, run: act(onTheme) },
    { name: 'Log out', also: 'sign out', run: act(logOut) },
  ];
  const hasWanted = (name = '') => name.toLowerCase().includes(wanted.toLowerCase());
  const places = all.filter(({ name }) => hasWanted(name));
  // After people, because a name may begin like one of these words.
  const aliases = all.filter(({ name, also }) => !hasWanted(name) && hasWanted(also));

  const isFound = isOwn && text === wanted;
  const persons: Choice[] = (isFound ? people : []).slice(0, MAX_SHOWN).map((person) => {
    const { name, email, leadIds, state } = person;
    return {
      name: name ?? email,
      more: `${name === null ? '' : `${email} · `}${STATE_NAMES[state]}`,
      run: leadIds[0] ? go(toPerson(leadIds[0])) : go(toPeopleList(undefined), { text: email }),
    };
  });
  const email = tidyEmail(wanted);
  const isUnknown = isFound && people.length === 0 && IS_EMAIL.test(email) && !isViewer;
  const rest: Choice[] = [
    ...(isFound && wanted !== '' && (hasMore || people.length > MAX_SHOWN)
      ? [{ name: 'All people found', run: go(toPeopleList(undefined), { text: wanted }) }]
      : []),
    ...(isUnknown
      ? [
          { name: 'Payment link…', more: email, run: () => setOpen({ what: 'link', email }) },
          { name: 'Give access…', more: email, run: () => setOpen({ what: 'give', email }) },
        ]
      : []),
  ];
  const choices =
    wanted === '' ? [...persons, ...places] : [...places, ...persons, ...aliases, ...rest];
  const current = Math.min(at, choices.length - 1);

  const runFound = useEffectEvent((isReady: boolean) => {
    if (isReady && isEntered.current) choices[current]?.run();
    if (isReady) isEntered.current = false;
  });
  useEffect(() => runFound(isFound), [isFound]);
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((current + step + choices.length) % Math.max(1, choices.length));
    else if (event.key !== 'Enter') return;
    else if (choices[current]) choices[current].run();
    else isEntered.current = true;
    event.preventDefault();
  };

  if (open?.what === 'link' && open.email !== undefined)
    return (
      <PaymentLinkDialog
        email={open.email}
        name={null}
        onClose={onClose}
        onDone={() => undefined}
      />
    );
  if (open)
    return (
      <GiveAccessDialog
        {...(open.email !== undefined && { person: { email: open.email, subscriptions: [] } })}
        onClose={onClose}
        onDone={() => undefined}
      />
    );
  return (
    <Dialog open onClose={onClose} className={styles.dialog}>
      <DialogTitle className="visually-hidden">Search</DialogTitle>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Search people, views and actions"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={choices.length > 0 ? `${listId}-${current}` : undefined}
        placeholder="People, views and actions"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
          isEntered.current = false;
        }}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no text field */}
      <div id={listId} role="listbox" aria-label="Found" className={styles.list}>
        {choices.map(({ name, more, run }, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys: the field
          <div
            key={`${name} ${more}`}
            id={`${listId}-${index}`}
            ref={(item) => {
              if (index === current) item?.scrollIntoView({ block: 'nearest' });
            }}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={run}
          >
            <bdi>{name}</bdi> <small>{more}</small>
          </div>
        ))}
      </div>
      <LoadState of="people" data={people} failure={failure} reload={reload} />
      <output className={styles.none}>
        {isFound &&
          persons.length + places.length + aliases.length === 0 &&
          `Nobody matches “${wanted}”.`}
      </output>
    </Dialog>
  );
}
