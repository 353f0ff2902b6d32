import { OFFER } from '@site/schema/offer';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Brand } from '../../../ui/Brand.tsx';
import { Button } from '../../../ui/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { SkipLink } from '../../../ui/SkipLink.tsx';
import { formatCount } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { focusContent } from '../focus/page-content.ts';
import { useFreshness, useUpdates } from '../live/LiveUpdates.tsx';
import { useMoneyAttention } from '../money/use-money-attention.ts';
import { CONSOLE_VIEWS, VIEW_NAMES } from '../navigation/console-views.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { useSession } from '../session/session.tsx';
import { formatTime, zoneName } from '../time/london-time.ts';
import styles from './TopBar.module.css';
import type { ConsoleTheme } from './use-console-theme.ts';

type TopBarProps = { view: ConsoleView | undefined; theme: ConsoleTheme };

/** The views of the console, how current the data is, and what concerns the operator. */
export function TopBar({ view, theme }: TopBarProps) {
  const { operator, logOut } = useSession();
  const { refresh } = useUpdates();
  const attention = useMoneyAttention();
  // The menu belongs to the view that it was opened in: a view that is chosen takes its place.
  const [menuOf, setMenuOf] = useState<ConsoleView | 'leads'>();
  const isMenuOpen = menuOf === (view ?? 'leads');
  return (
    <header className={styles.bar}>
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
      <nav id="console-views" className={classNames(styles.pages, isMenuOpen && styles.open)} aria-label="Console">
        <PageLink name="Leads" isCurrent={view === undefined} />
        {CONSOLE_VIEWS.map((each) => (
          <PageLink
            key={each}
            view={each}
            name={VIEW_NAMES[each]}
            isCurrent={view === each}
            attention={each === 'money' ? attention : 0}
          />
        ))}
      </nav>
      <Button
        look="line"
        className={styles.menu}
        aria-expanded={isMenuOpen}
        aria-controls="console-views console-menu"
        onClick={() => setMenuOf(isMenuOpen ? undefined : (view ?? 'leads'))}
      >
        Menu{attention > 0 && ` (${formatCount(attention)})`}
      </Button>
      <div id="console-menu" className={classNames(styles.own, isMenuOpen && styles.open)}>
        <Freshness />
        <LinkButton onClick={() => void refresh()}>Refresh</LinkButton>
        <LinkButton onClick={theme.toggle}>{theme.name === 'dark' ? 'Light theme' : 'Dark theme'}</LinkButton>
        <Link
          to={`/admin-leads?view=${'account' satisfies ConsoleView}`}
          className={styles.operator}
          title={operator.username}
          aria-current={view === 'account' ? 'page' : undefined}
        >
          <span className="visually-hidden">Your account: </span>
          <bdi>{operator.username}</bdi>
        </Link>
        <LinkButton onClick={() => void logOut()}>Log out</LinkButton>
      </div>
    </header>
  );
}

function Freshness() {
  const { isLive } = useUpdates();
  const { loadedAt, staleSince } = useFreshness();
  const at = staleSince ?? loadedAt;
  return (
    <>
      {at && (
        <p className={styles.checked} data-failing={staleSince !== undefined || undefined}>
          {staleSince ? 'Not updated since' : isLive ? 'Live, updated' : 'Updated'} {formatTime(at)}
          <span className={styles.zone}> {zoneName(at)}</span>
        </p>
      )}
      <output className="visually-hidden">{staleSince && 'The list is not being updated.'}</output>
    </>
  );
}

type PageLinkProps = { view?: ConsoleView; name: string; isCurrent: boolean; attention?: number };

function PageLink({ view, name, isCurrent, attention = 0 }: PageLinkProps) {
  return (
    <Link to={view ? `/admin-leads?view=${view}` : '/admin-leads'} aria-current={isCurrent ? 'page' : undefined}>
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
