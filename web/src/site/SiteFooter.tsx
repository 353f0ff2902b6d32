import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { OFFER } from '@site/schema/offer';
import {
  askConsentAgain,
  isConsentConfigured,
  isConsentNeeded,
  onConsentChange,
} from '../analytics/consent.ts';
import { siteSettings } from '../site-settings.ts';
import { Brand } from '../ui/Brand.tsx';
import { SupportLink } from './SupportLink.tsx';
import styles from './SiteFooter.module.css';

export const SUBSCRIBE = 'Subscribe Now';
const QUICK_LINKS = [
  { to: '/#features', label: 'Features' },
  { to: '/#reviews', label: 'Reviews' },
  { to: '/#faq', label: 'FAQ' },
];

type SiteFooterProps = {
  /** Opens the form on this page, or else the form's own page. Null after a subscription. */
  subscribe?: ReactNode;
};

export function SiteFooter({
  subscribe = <a href="/subscribe?from=bottom_sub">{SUBSCRIBE}</a>,
}: SiteFooterProps) {
  // The server cannot recognise the browser.
  const hasChoice = useSyncExternalStore(onConsentChange, isConsentNeeded, isConsentConfigured);
  const { traderName, traderAddress, portalLoginUrl, contactUrl, privacyUrl, termsUrl, refundUrl } =
    siteSettings();
  const pages = [
    { name: 'Contact', url: contactUrl },
    { name: 'Privacy', url: privacyUrl },
    { name: 'Terms', url: termsUrl },
    { name: 'Refund', url: refundUrl },
  ];
  return (
    <footer className={`page note ${styles.footer}`}>
      <div className={styles.about}>
        <Brand name={OFFER.productName} />
        <p>
          Published weekly in the United Kingdom for digital asset acquirers, micro private-equity
          funds and serial operators. Results shown are examples. Nothing here is investment advice.
        </p>
        <p>
          Support: <SupportLink />
        </p>
        <p>
          {traderName}, {traderAddress}
        </p>
      </div>
      <nav aria-labelledby="quick-links">
        <h2 id="quick-links" className="minor">
          Quick links
        </h2>
        <ul className={styles.links}>
          {QUICK_LINKS.map(({ to, label }) => (
            <li key={to}>
              <a href={to}>{label}</a>
            </li>
          ))}
          {subscribe !== null && <li>{subscribe}</li>}
          {portalLoginUrl !== null && (
            <li>
              <a href={portalLoginUrl}>Manage subscription</a>
            </li>
          )}
        </ul>
      </nav>
      <section aria-labelledby="support-pages">
        <h2 id="support-pages" className="minor">
          Support
        </h2>
        <ul className={styles.links}>
          {pages.map(({ name, url }) => (
            <li key={name}>{url === null ? <span>{name}</span> : <a href={url}>{name}</a>}</li>
          ))}
        </ul>
        {hasChoice && (
          <p>
            <button type="button" className="link" onClick={askConsentAgain}>
              Change your cookie choice
            </button>
          </p>
        )}
      </section>
    </footer>
  );
}
