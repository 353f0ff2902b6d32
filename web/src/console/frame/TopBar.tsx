import { OFFER } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { Brand } from '../../ui/Brand.tsx';
import { Button } from '../../ui/Button.tsx';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { useLive } from '../api/live.tsx';
import { CONSOLE_VIEWS, VIEW_NAMES } from '../navigation.ts';
import type { ConsoleView } from '../navigation.ts';
import { useSession } from '../session/session.ts';
import { ChevronIcon, SearchIcon } from '../shared/console-icons.tsx';
import { LinkButton } from '../shared/fields.tsx';
import { focusContent } from '../shared/focus.ts';
import { formatCount, formatTime } from '../shared/format.ts';
import styles from './TopBar.module.css';

type TopBarProps = {
  view: ConsoleView | undefined;
  /** The number of items that need attention. */
  attention: number;
  otherTheme: string;
  onTheme: () => void;
  onSearch: () => void;
};

/**
 * Renders the links to the views, the age of the data, and the operator's menu. A phone has them in
 * one menu.
 */
export function TopBar({ view, attention, otherTheme, onTheme, onSearch }: TopBarProps) {
  const { operator, logOut } = useSession();
  const { isLive, loadedAt, staleSince } = useLive();
  const at = staleSince ?? loadedAt;
  return (
    <header className={styles.bar}>
      <SkipLink
        href="#leads"
        onClick={(event) => {
          // The URL holds the filter, so it cannot also have a fragment.
          event.preventDefault();
          focusContent();
        }}
      >
        {view === undefined ? 'Skip to the list' : 'Skip to content'}
      </SkipLink>
      {/* A full page load, because the site may load third-party scripts and the console must
          not. */}
      <a href="/" className={styles.brand} aria-label={`${OFFER.productName}: open the site`}>
        <Brand name={OFFER.productName} />
      </a>
      <Button
        look="line"
        className={styles.search}
        aria-label="Search"
        aria-keyshortcuts="/ Control+k Meta+k"
        onClick={onSearch}
      >
        <SearchIcon />
      </Button>
      <Button look="line" className={styles.menu} popoverTarget="console-menu">
        Menu{attention > 0 && ` ${formatCount(attention)}`}
      </Button>
      <div id="console-menu" popover="auto" className={styles.panel}>
        <nav className={styles.pages} aria-label="Console">
          {[undefined, ...CONSOLE_VIEWS].map((each) => (
            <Link
              key={each ?? 'leads'}
              to={`/admin-leads${each ? `?view=${each}` : ''}`}
              aria-current={(view === 'person' ? 'people' : view) === each ? 'page' : undefined}
              onClick={closeMenus}
            >
              <span>
                {each ? VIEW_NAMES[each] : 'Leads'}
                {each === 'overview' && attention > 0 && (
                  <span className={styles.count}>
                    {' '}
                    {formatCount(attention)}
                    <span className="visually-hidden"> needing attention</span>
                  </span>
                )}
              </span>
            </Link>
          ))}
        </nav>
        <div className={styles.own}>
          {at && (
            <p className={styles.checked} data-failing={staleSince !== undefined || undefined}>
              {staleSince ? 'Not updated since' : isLive ? 'Live,' : 'Updated'} {formatTime(at)}
            </p>
          )}
          <output className="visually-hidden">
            {staleSince && 'The list is not being updated.'}
          </output>
          <LinkButton
            className={styles.operator}
            title={operator.username}
            aria-label={`Account menu of ${operator.username}`}
            popoverTarget="account-menu"
          >
            <bdi>{operator.username}</bdi>
            <ChevronIcon />
          </LinkButton>
          <div id="account-menu" popover="auto" className={styles.links}>
            <Link
              to="/admin-leads?view=account"
              aria-current={view === 'account' ? 'page' : undefined}
              onClick={closeMenus}
            >
              Your account
            </Link>
            <LinkButton onClick={onTheme}>{otherTheme}</LinkButton>
            <LinkButton onClick={() => void logOut()}>Log out</LinkButton>
          </div>
        </div>
      </div>
    </header>
  );
}

/** Closes the menus. Otherwise a menu would stay open over the view that its link opens. */
function closeMenus(): void {
  for (const menu of document.querySelectorAll<HTMLElement>('[popover]')) menu.hidePopover();
}
