import type { OperatorAnswer } from '@site/schema/admin';
import { OFFER } from '@site/schema/offer';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Brand } from '../../ui/Brand.tsx';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { LinkButton } from './LinkButton.tsx';
import { formatTime, zoneName } from './london-time.ts';
import styles from './TopBar.module.css';

type TopBarProps = {
  operator: OperatorAnswer;
  theme: 'light' | 'dark';
  checkedAt: Date | undefined;
  isRefreshFailing: boolean;
  onRefresh: () => Promise<unknown>;
  onToggleTheme: () => void;
  onLogOut: () => Promise<void>;
};

/** The name, the pages of the console, and what concerns the operator rather than the leads. */
export function TopBar(props: TopBarProps) {
  const { operator, theme, checkedAt, isRefreshFailing, onRefresh, onToggleTheme, onLogOut } = props;
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.brand} aria-label={`${OFFER.productName}, to the site`}>
        <Brand name={OFFER.productName} />
      </Link>
      <nav className={styles.pages} aria-label="Console">
        <Link to="/admin-leads" aria-current="page">
          Leads
        </Link>
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
            {isRefreshFailing ? 'Not refreshed since' : 'As of'} {formatTime(checkedAt)} {zoneName(checkedAt)}
          </p>
        )}
        <LinkButton onClick={() => void onRefresh()}>Refresh</LinkButton>
        <LinkButton onClick={onToggleTheme}>{theme === 'dark' ? 'Light theme' : 'Dark theme'}</LinkButton>
        <bdi className={styles.operator} title={operator.username}>
          {operator.username}
        </bdi>
        <LinkButton onClick={() => void onLogOut()}>Sign out</LinkButton>
      </div>
    </header>
  );
}
