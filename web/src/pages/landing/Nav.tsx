import { OFFER } from '@site/schema/offer';
import type { ShownOffer } from '../../site/shown-offer.ts';
import { SubscribeButton } from '../../subscribe/SubscribeButton.tsx';
import { Brand } from '../../ui/Brand.tsx';
import { SkipLink } from '../../ui/SkipLink.tsx';
import styles from './Nav.module.css';

const LINKS = [
  { to: '#features', label: 'Features' },
  { to: '#reviews', label: 'Reviews' },
  { to: '#faq', label: 'FAQ' },
];

/** The sticky bar with the section links, the price and the button. */
export function Nav({ offer }: { offer: ShownOffer }) {
  return (
    <header className={styles.nav}>
      <div className={`page ${styles.inner}`}>
        <SkipLink href="#content">Skip to content</SkipLink>
        <a href="/" className={styles.home}>
          <Brand name={OFFER.productName} />
        </a>
        <nav aria-label="Sections" className={styles.links}>
          {LINKS.map(({ to, label }) => (
            <a key={to} href={to}>
              {label}
            </a>
          ))}
        </nav>
        <span className={styles.price}>{`${offer.price}/mo`}</span>
        <SubscribeButton from="nav_sub" size="nav">
          Subscribe Now
        </SubscribeButton>
      </div>
    </header>
  );
}
