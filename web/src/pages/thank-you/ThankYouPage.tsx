import { formatLongDate, nextIssue } from '@site/schema/calendar';
import { OFFER } from '@site/schema/offer';
import type { PageSettings } from '@site/schema/page-render';
import { useEffect, useSyncExternalStore } from 'react';
import type { ComponentProps } from 'react';
import { recordPurchase } from '../../analytics/analytics.ts';
import { hasConsent, onConsentChange } from '../../analytics/consent.ts';
import { readQuery } from '../../analytics/hidden-query.ts';
import { dropSampleEmail } from '../../sample-email.ts';
import { PageHead } from '../../site/PageHead.tsx';
import { shownOffer } from '../../site/shown-offer.ts';
import { SiteFooter } from '../../site/SiteFooter.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { siteSettings } from '../../site-settings.ts';
import { useSiteLocation } from '../../site/site-location.tsx';
import { takeDeparture } from '../../subscribe/departure.ts';
import { classNames } from '../../ui/class-names.ts';
import { TickIcon } from '../../ui/icons.tsx';
import { Cards } from './Cards.tsx';
import { Opening } from './Opening.tsx';
import { hasFullDetails, Receipt } from './Receipt.tsx';
import styles from './ThankYouPage.module.css';
import { useCheckoutState } from './use-checkout-state.ts';
import type { CheckoutView } from './use-checkout-state.ts';

const WELCOME = `Welcome to ${OFFER.productName}!`;

/**
 * Returns the heading. Nobody is welcomed before Stripe confirms the subscription. Without a
 * checkout, the page itself welcomes.
 */
function headingOf(state: CheckoutView['state']): string {
  switch (state) {
    case 'confirmed':
    case 'none':
      return WELCOME;
    case 'unfinished':
      return 'This checkout is not finished';
    case 'not-found':
      return 'We cannot find this checkout';
    case 'processing':
    case 'overdue':
      return 'Confirming your checkout';
    default:
      return 'Your checkout at Stripe';
  }
}

/**
 * Renders the page after checkout: Stripe's receipt, and the next steps. Without a session id there
 * is no receipt. `checkout` is the server's knowledge of it.
 */
export function ThankYouPage({ checkout }: { checkout: PageSettings['checkout'] }) {
  const { search } = useSiteLocation();
  const query = readQuery(search);
  const sessionId = query.get('session_id') || null;
  const { view, isAsking, askAgain } = useCheckoutState(sessionId, checkout);
  const hasPaid = view.state === 'confirmed' && hasFullDetails(view.receipt);

  // Stripe redirects here even while the payment is unconfirmed.
  useEffect(() => {
    if (sessionId !== null) takeDeparture();
  }, [sessionId]);
  useEffect(() => {
    if (hasPaid) dropSampleEmail();
  }, [hasPaid]);

  // A visitor may accept cookies while the receipt is open, and the purchase still counts.
  const isMeasured = useSyncExternalStore(onConsentChange, hasConsent, () => false);
  const isConversion = view.state === 'confirmed' && !view.isPaymentLink;
  useEffect(() => {
    if (isConversion && sessionId !== null && isMeasured) recordPurchase(sessionId);
  }, [isConversion, sessionId, isMeasured]);

  return (
    <>
      <title>{headingOf(view.state)}</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <Content view={view} sessionId={sessionId} isAsking={isAsking} onAskAgain={askAgain} />
    </>
  );
}

function Content({ view, ...asking }: ComponentProps<typeof Opening>) {
  const { portalLoginUrl } = siteSettings();
  const receipt = view.state === 'confirmed' ? view.receipt : undefined;
  const hasPlan = receipt !== undefined && hasFullDetails(receipt);
  const isUnknown = view.state === 'none' || view.state === 'not-found';
  return (
    <>
      <main className={`page ${styles.page}`}>
        <PageHead heading={headingOf(view.state)}>
          <Opening view={view} {...asking} />
        </PageHead>
        {(receipt || view.state === 'none') && (
          <div className={classNames(styles.columns, receipt && styles.withSheet)}>
            {receipt && <Receipt receipt={receipt} />}
            <div>
              <Cards receipt={receipt} />
              {receipt && <NextActions startedAt={receipt.startedAt} />}
              <Benefits />
            </div>
          </div>
        )}
        {/* Hidden while scripts wait for the receipt, which would move it. */}
        <div className={classNames(styles.end, view.state === 'processing' && styles.plain)}>
          <a href="/">Back to home</a>
          {isUnknown && portalLoginUrl && <a href={portalLoginUrl}>Manage subscription</a>}
          {isUnknown && <a href="/subscribe">Subscribe</a>}
        </div>
      </main>
      <SiteFooter subscribe={hasPlan ? null : undefined} />
    </>
  );
}

/** Lists steps that help the first issue arrive. */
function NextActions({ startedAt }: { startedAt: string }) {
  const first = nextIssue(new Date(startedAt));
  return (
    <section className={styles.part} aria-labelledby="next-actions">
      <h2 id="next-actions" className="minor">
        What to do now
      </h2>
      <ol>
        <li>
          {`Your first issue comes on ${formatLongDate(first.at, true)} from ` +
            `${OFFER.productName}. If it is in your spam folder, move it to the inbox and add ` +
            'the sender to your contacts.'}
        </li>
        <li>
          Past issues: open “Read online” in your first issue, and log in with the address that
          receives it.
        </li>
      </ol>
    </section>
  );
}

const BENEFITS = [
  'Verified Leads',
  'Direct Acquisition Contact',
  'Sector Tags',
  'Deal Insights',
  'CSV Export',
  'Outreach Templates',
  'Access to past issues',
];

function Benefits() {
  const benefits = shownOffer().isLaunch ? [...BENEFITS, 'Your price locked for life'] : BENEFITS;
  return (
    <section className={styles.part} aria-labelledby="benefits">
      <h2 id="benefits" className="minor">
        Premium benefits
      </h2>
      <ul className={styles.benefits}>
        {benefits.map((benefit) => (
          <li key={benefit}>
            <TickIcon />
            {benefit}
          </li>
        ))}
      </ul>
    </section>
  );
}
