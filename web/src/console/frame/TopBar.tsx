import { OFFER } from '@site/schema/offer';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Brand } from '../../ui/Brand.tsx';
import { Button } from '../../ui/Button.tsx';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { ChevronIcon } from '../shared/console-icons.tsx';
import { formatCount, formatTime } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import { focusContent } from '../shared/focus.ts';
import { useLive } from '../api/live.tsx';
import { CONSOLE_VIEWS, VIEW_NAMES } from '../navigation.ts';
import type { ConsoleView } from '../navigation.ts';
import { useSession } from '../session/session.tsx';
import styles from './TopBar.module.css';
import type { ConsoleTheme } from './use-console-theme.ts';

type TopBarProps = {
  view: ConsoleView | undefined;
  theme: ConsoleTheme;
  /** How many things need attention. */
  attention: number;
};

/** The views of the console, how current the data is, and what concerns the operator. */
export function TopBar({ view, theme, attention }: TopBarProps) {
  const { bar, menuButton, isOpen, toggle } = useMenu<HTMLElement>();
  return (
    <header className={styles.bar} ref={bar}>
      <SkipLink
        href="#leads"
        onClick={(event) => {
          // The address holds the filter, so it cannot take a fragment too.
          event.preventDefault();
          focusContent();
        }}
      >
        {view === undefined ? 'Skip to the list' : 'Skip to content'}
      </SkipLink>
      {/* A full page load, because the site may load third-party scripts and the console must not. */}
      <a href="/" className={styles.brand} aria-label={`${OFFER.productName}: open the site`}>
        <Brand name={OFFER.productName} />
      </a>
      <Button
        ref={menuButton}
        look="line"
        className={styles.menu}
        aria-expanded={isOpen}
        aria-controls="console-menu"
        onClick={toggle}
      >
        {isOpen ? 'Close' : `Menu${attention > 0 ? ` ${formatCount(attention)}` : ''}`}
      </Button>
      <div id="console-menu" className={styles.panel} data-open={isOpen || undefined}>
        <nav className={styles.pages} aria-label="Console">
          <PageLink name="Leads" isCurrent={view === undefined} />
          {CONSOLE_VIEWS.map((each) => (
            <PageLink
              key={each}
              view={each}
              name={VIEW_NAMES[each]}
              isCurrent={(view === 'person' ? 'people' : view) === each}
              attention={each === 'overview' ? attention : 0}
            />
          ))}
        </nav>
        <div className={styles.own}>
          <Freshness />
          <AccountMenu view={view} theme={theme} />
        </div>
      </div>
    </header>
  );
}

/** What concerns the operator. On a phone its links are part of the menu. */
function AccountMenu({ view, theme }: Omit<TopBarProps, 'attention'>) {
  const { operator, logOut } = useSession();
  const { bar, menuButton, isOpen, toggle } = useMenu<HTMLDivElement>();
  return (
    <div className={styles.account} ref={bar}>
      <LinkButton
        ref={menuButton}
        className={styles.operator}
        title={operator.username}
        aria-label={`Account menu of ${operator.username}`}
        aria-expanded={isOpen}
        aria-controls="account-menu"
        onClick={toggle}
      >
        <bdi>{operator.username}</bdi>
        <ChevronIcon />
      </LinkButton>
      <div id="account-menu" className={styles.links} data-open={isOpen || undefined}>
        <Link
          to={`/admin-leads?view=${'account' satisfies ConsoleView}`}
          aria-current={view === 'account' ? 'page' : undefined}
        >
          Your account
        </Link>
        <LinkButton onClick={theme.toggle}>
          {theme.name === 'dark' ? 'Light theme' : 'Dark theme'}
        </LinkButton>
        <LinkButton onClick={() => void logOut()}>Log out</LinkButton>
      </div>
    </div>
  );
}

/** Opens and closes a menu. A choice, Escape and a press elsewhere close it. */
function useMenu<Bar extends HTMLElement>() {
  const { key: address } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  const bar = useRef<Bar>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const isOpen = openAt === address;
  const listen = useEffectEvent((event: Event) => {
    if (event instanceof KeyboardEvent) {
      if (event.key !== 'Escape') return;
      menuButton.current?.focus();
    } else if (event.target instanceof Node && bar.current?.contains(event.target)) return;
    setOpenAt(undefined);
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const events = ['keydown', 'click'] as const;
    for (const event of events) document.addEventListener(event, listen);
    return () => {
      for (const event of events) document.removeEventListener(event, listen);
    };
  }, [isOpen]);
  return { bar, menuButton, isOpen, toggle: () => setOpenAt(isOpen ? undefined : address) };
}

function Freshness() {
  const { isLive, loadedAt, staleSince } = useLive();
  const at = staleSince ?? loadedAt;
  return (
    <>
      {at && (
        <p className={styles.checked} data-failing={staleSince !== undefined || undefined}>
          {staleSince ? 'Not updated since' : isLive ? 'Live,' : 'Updated'} {formatTime(at)}
        </p>
      )}
      <output className="visually-hidden">{staleSince && 'The list is not being updated.'}</output>
    </>
  );
}

type PageLinkProps = { view?: ConsoleView; name: string; isCurrent: boolean; attention?: number };

function PageLink({ view, name, isCurrent, attention = 0 }: PageLinkProps) {
  return (
    <Link
      to={view ? `/admin-leads?view=${view}` : '/admin-leads'}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span>
        {name}
        {attention > 0 && (
          <span className={styles.count}>
            {' '}
            {formatCount(attention)}
            <span className="visually-hidden"> needing attention</span>
          </span>
        )}
      </span>
    </Link>
  );
}
