import { OFFER } from '@site/schema/offer';
import { useEffect, useSyncExternalStore } from 'react';
import { recordPurchase } from '../../analytics/analytics.ts';
import { hasConsent, onConsentChange } from '../../analytics/consent.ts';
import { readQuery } from '../../analytics/hidden-query.ts';
import { dropSampleEmail } from '../../sample-email.ts';
import page from '../../site/page.module.css';
import { PageHead } from '../../site/PageHead.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { SiteLink, useSiteLocation } from '../../site/site-location.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import { dropDraft } from '../../subscribe/subscribe-draft.ts';
import { classNames } from '../../ui/class-names.ts';
import { Benefits } from './Benefits.tsx';
import { Cards } from './Cards.tsx';
import { Opening } from './Opening.tsx';
import { Receipt } from './Receipt.tsx';
import styles from './ThankYouPage.module.css';
import { useCheckoutState } from './use-checkout-state.ts';

/** The page after checkout: the receipt Stripe confirms, and what happens next. Without a session id, no receipt. */
export function ThankYouPage() {
  const { search } = useSiteLocation();
  const sessionId = readQuery(search).get('session_id');
  const { view, askAgain } = useCheckoutState(sessionId);
  const receipt = view.state === 'confirmed' ? view.receipt : undefined;
  const hasSheet = view.state !== 'none' && view.state !== 'not-found';

  useEffect(() => {
    if (view.state !== 'confirmed' || sessionId === null) return;
    dropSampleEmail();
    dropDraft();
  }, [view.state, sessionId]);

  // A visitor may accept cookies while the receipt is open, and their purchase still counts.
  const isMeasured = useSyncExternalStore(onConsentChange, hasConsent, () => false);
  useEffect(() => {
    if (view.state === 'confirmed' && sessionId !== null && isMeasured) recordPurchase(sessionId);
  }, [view.state, sessionId, isMeasured]);

  return (
    <>
      <title>{`Welcome to ${OFFER.productName}!`}</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main className={page.page}>
        <PageHead heading={`Welcome to ${OFFER.productName}!`}>
          <Opening view={view} onAskAgain={askAgain} />
        </PageHead>
        <div className={classNames(styles.columns, hasSheet && styles.withSheet)}>
          {hasSheet && <Receipt receipt={receipt} />}
          <div>
            <Cards receipt={receipt} />
            <Benefits />
          </div>
        </div>
        <div className={styles.end}>
          <SiteLink href="/">Back to home</SiteLink>
          <p>
            A question? <SupportLink />
          </p>
        </div>
      </main>
    </>
  );
}
