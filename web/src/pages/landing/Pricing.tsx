import { formatPence, OFFER } from '@site/schema/offer';
import { shownRise } from '../../site/shown-offer.ts';
import type { ShownOffer } from '../../site/shown-offer.ts';
import { useNow } from '../../site/use-now.ts';
import { siteSettings } from '../../site-settings.ts';
import { SubscribeButton } from '../../subscribe/SubscribeButton.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { OutwardIcon } from '../../ui/icons.tsx';
import { Sum } from '../../ui/Sum.tsx';
import styles from './Pricing.module.css';

/** The price, its saving until it rises, and links to subscribe or see a sample. */
export function Pricing({ offer }: { offer: ShownOffer }) {
  const { isLaunch, price, monthlyPricePence } = offer;
  const rise = shownRise(useNow());
  return (
    <section id="subscribe" aria-labelledby="price" className={styles.band}>
      <div className={`page ${styles.inner}`}>
        <div>
          <h2 id="price" className={styles.price}>
            <span>{`${price} a month, `}</span>
            <span>{isLaunch ? 'locked for life' : 'cancel any time'}</span>
          </h2>
          {rise && (
            <p className={styles.later}>
              {rise.standardPrice}/month from <span className="whole">{rise.risesOn}</span>
            </p>
          )}
        </div>
        <div>
          {rise && (
            <Sum
              terms={[
                {
                  label: `From ${rise.risesOn}`,
                  working: `${rise.standardPrice} × 12`,
                  value: formatPence(OFFER.standardPricePence * 12),
                },
                {
                  label: 'If you join before',
                  working: `${price} × 12`,
                  value: formatPence(monthlyPricePence * 12),
                },
              ]}
              result={{ label: 'You save per year', value: rise.savingPerYear }}
            />
          )}
          <div className={`actions ${styles.actions}`}>
            <SubscribeButton from="bottom_sub">Subscribe Now</SubscribeButton>
            <ButtonLink
              look="line"
              href={siteSettings().sampleSiteUrl}
              target="_blank"
              rel="noopener"
            >
              Download Free Sample Issue (PDF)
              <OutwardIcon />
            </ButtonLink>
          </div>
          <p className="note">
            {`${OFFER.trialDays}-day trial: nothing is charged today. Cancel before day ` +
              `${OFFER.trialDays} and pay nothing.`}
          </p>
        </div>
      </div>
    </section>
  );
}
