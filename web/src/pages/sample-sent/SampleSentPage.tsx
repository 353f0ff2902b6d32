import { OFFER } from '@site/schema/offer';
import { useState } from 'react';
import { readSampleEmail } from '../../sample-email.ts';
import page from '../../site/page.module.css';
import { PageHead } from '../../site/PageHead.tsx';
import { shownOffer } from '../../site/shown-offer.ts';
import { SiteFooter } from '../../site/SiteFooter.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { NoBreak } from '../../ui/NoBreak.tsx';
import { Offer } from './Offer.tsx';
import styles from './SampleSentPage.module.css';
import { useUpsell } from './use-upsell.ts';

/** After a sample was asked for: where it is, and two better prices with their arithmetic. */
export function SampleSentPage() {
  const { isLaunch, price } = shownOffer();
  const [email] = useState(() => readSampleEmail(new Date()));
  const { pending, failed, choose } = useUpsell();
  const priceName = isLaunch ? 'launch price' : 'price';
  return (
    <>
      <title>{`Sample Issue Ready! · ${OFFER.productName}`}</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main className={page.page}>
        <PageHead heading="Sample Issue Ready!">
          <p>
            Check your email for the download link.{' '}
            {email !== undefined && (
              <>
                We sent it to{' '}
                <strong className={styles.email}>
                  <bdi>{email}</bdi>
                </strong>
                .{' '}
              </>
            )}
            If it has not come in five minutes, look in your spam folder.
          </p>
        </PageHead>
        <div className={styles.offers}>
          {(['monthly15', 'annual25'] as const).map((plan) => (
            <Offer
              key={plan}
              plan={plan}
              isPending={pending === plan}
              hasFailed={failed === plan}
              onChoose={() => void choose(plan)}
            />
          ))}
        </div>
        <p className={styles.small}>
          <NoBreak>{`Savings are against the ${priceName}, ${price}/month. Both plans begin with the ${OFFER.trialDays}-day trial, carry the ${OFFER.guaranteeDays}-day guarantee, and stay at this price for life.`}</NoBreak>
        </p>
      </main>
      <SiteFooter />
    </>
  );
}
