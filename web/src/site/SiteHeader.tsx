import { OFFER } from '@site/schema/offer';
import { Brand } from '../ui/Brand.tsx';
import { SupportLink } from './SupportLink.tsx';
import styles from './SiteHeader.module.css';

/** Renders the header of every page except the landing page, with links to home and support. */
export function SiteHeader() {
  return (
    <header className={styles.header}>
      <div className={`page ${styles.inner}`}>
        <a href="/" className={styles.home}>
          <Brand name={OFFER.productName} />
        </a>
        <p className="note">
          Support: <SupportLink />
        </p>
      </div>
    </header>
  );
}
