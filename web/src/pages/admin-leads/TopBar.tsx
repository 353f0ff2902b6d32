import type { OperatorAnswer } from '@site/schema/admin';
import { OFFER } from '@site/schema/offer';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Brand } from '../../ui/Brand.tsx';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { CONSOLE_VIEWS, VIEW_NAMES } from './console-params.ts';
import { goToContent } from './content-place.ts';
import type { ConsoleView } from './console-params.ts';
import { LinkButton } from './LinkButton.tsx';
import { formatTime, zoneName } from './london-time.ts';
import styles from './TopBar.module.css';

type TopBarProps = {
  operator: OperatorAnswer;
  theme: 'light' | 'dark';
  checkedAt: Date | undefined;
  isRefreshFailing: boolean;
  isLive: boolean;
  view: ConsoleView | undefined;
  /** How many things of Stripe’s a person should look at. */
  attention: number;
  onRefresh: () => Promise<unknown>;
  onToggleTheme: () => void;
  onLogOut: () => Promise<void>;
};

/** The name, the pages of the console, and what concerns the operator rather than the leads. */
export function TopBar(props: TopBarProps) {
  const { operator, theme, checkedAt, isRefreshFailing, isLive, view, attention, onRefresh, onToggleTheme, onLogOut } =
    props;
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <header className={styles.bar}>
      <SkipLink
        href="#leads"
        onClick={(event) => {
          // The address is what is shown, and has no place for this.
          event.preventDefault();
          goToContent();
        }}
      >
        {view === undefined ? 'Skip to the list' : 'Skip to content'}
      </SkipLink>
      {/* A full page load, as the site may load third-party scripts. */}
      <a href="/" className={styles.brand} aria-label={`${OFFER.productName}, to the site`}>
        <Brand name={OFFER.productName} />
      </a>
      <nav className={styles.pages} aria-label="Console">
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
        aria-controls="console-menu"
        onClick={() => setMenuOpen(!isMenuOpen)}
      >
        Menu
      </Button>
      <div id="console-menu" className={classNames(styles.own, isMenuOpen && styles.open)}>
        {checkedAt && (
          <p className={styles.checked} data-failing={isRefreshFailing || undefined}>
            {isRefreshFailing ? 'Not refreshed since' : isLive ? 'Live, as of' : 'As of'} {formatTime(checkedAt)}{' '}
            {zoneName(checkedAt)}
          </p>
        )}
        <LinkButton onClick={() => void onRefresh()}>Refresh</LinkButton>
        <LinkButton onClick={onToggleTheme}>{theme === 'dark' ? 'Light theme' : 'Dark theme'}</LinkButton>
        <bdi className={styles.operator} title={operator.username}>
          {operator.username}
        </bdi>
        <LinkButton onClick={() => void onLogOut()}>Sign out</LinkButton>
      </div>
      <output className="visually-hidden">{isRefreshFailing && 'The list is not being refreshed.'}</output>
    </header>
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
            {attention.toLocaleString('en-GB')}
            <span className="visually-hidden"> to look at</span>
          </span>
        )}
      </span>
    </Link>
  );
}
