import { OFFER, UPSELL_PLANS } from '@site/schema/offer';
import { useState } from 'react';
import { readSampleEmail } from '../../sample-email.ts';
import { PageHead } from '../../site/PageHead.tsx';
import { shownOffer } from '../../site/shown-offer.ts';
import { SiteFooter } from '../../site/SiteFooter.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { useSiteLocation } from '../../site/site-location.tsx';
import { Notice } from '../../subscribe/Notice.tsx';
import { Unbroken } from '../../ui/Unbroken.tsx';
import { useInBrowser } from '../../ui/use-in-browser.ts';
import { NotOpened, Offer } from './Offer.tsx';
import styles from './SampleSentPage.module.css';
import { useUpsell } from './use-upsell.ts';

/** Renders the page after a sample request: where to find the sample, and two discounted plans. */
export function SampleSentPage() {
  const { isLaunch, price } = shownOffer();
  const email = useInBrowser(currentSampleEmail, () => undefined);
  const { search } = useSiteLocation();
  // Kept, because the query is hidden while third-party scripts run.
  const [checkout] = useState(() => new URLSearchParams(search).get('checkout'));
  const { pending, failed, isReturn, choose } = useUpsell(checkout === 'cancelled');
  const hasFailedBefore = (checkout === 'failed' || checkout === 'too-many') && failed === null;
  const priceName = isLaunch ? 'launch price' : 'price';
  return (
    <>
      <title>
        {`${hasFailedBefore ? 'Not opened: ' : ''}Sample Issue Ready! · ${OFFER.productName}`}
      </title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main id="offers" className="page">
        <PageHead heading="Sample Issue Ready!">
          <p className={styles.sentTo}>
            Check your email for the download link. If it has not come in five minutes, look in your
            spam folder.
            {/* Last, so that nothing moves when the browser adds it. */}
            {email !== undefined && (
              <>
                {' '}
                We sent it to{' '}
                <strong>
                  <bdi>{email}</bdi>
                </strong>
                .
              </>
            )}
          </p>
        </PageHead>
        {(isReturn || hasFailedBefore) && (
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page answers a press
          <div className={styles.above} tabIndex={-1} autoFocus>
            {isReturn ? (
              <Notice title="You came back from Stripe without paying.">
                Nothing was charged, and both offers are still open.
              </Notice>
            ) : (
              <NotOpened wait={checkout === 'too-many' ? 'Try again in a minute.' : undefined} />
            )}
          </div>
        )}
        <form method="post" action="/sample-sent" className={styles.offers} onSubmit={stay}>
          {UPSELL_PLANS.map((plan) => (
            <Offer
              key={plan}
              plan={plan}
              isPending={pending === plan}
              failure={failed?.plan === plan ? failed.failure : undefined}
              onChoose={() => void choose(plan)}
            />
          ))}
        </form>
        <p className={`note ${styles.small}`}>
          <Unbroken
            text={
              `Savings are against the ${priceName}, ${price}/month. Both plans begin with the ` +
              `${OFFER.trialDays}-day trial, carry the ${OFFER.guaranteeDays}-day guarantee, and ` +
              (isLaunch
                ? 'stay at this price for life.'
                : 'keep their discount for as long as you subscribe.')
            }
          />
        </p>
      </main>
      <SiteFooter subscribe={<a href="#monthly15">See the offers</a>} />
    </>
  );
}

/** With scripts, the button opens the checkout. */
const stay = (sent: { preventDefault(): void }) => sent.preventDefault();
const currentSampleEmail = () => readSampleEmail(new Date());
