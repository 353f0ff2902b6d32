import { formatPence, OFFER } from '@site/schema/offer';
import type { ShownOffer } from '../../site/shown-offer.ts';
import { siteSettings } from '../../site-settings.ts';
import { SubscribeButton } from '../../subscribe/SubscribeButton.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { OutwardIcon } from '../../ui/icons.tsx';
import { Sum } from '../../ui/Sum.tsx';
import styles from './Pricing.module.css';

/** The price, its saving during the launch, and links to subscribe or see a sample. */
export function Pricing({ offer }: { offer: ShownOffer }) {
  const { isLaunch, price, standardPrice, risesOn, savingPerYear, monthlyPricePence } = offer;
  return (
    <section id="subscribe" aria-labelledby="price" className={styles.band}>
      <div className={`page ${styles.inner}`}>
        <div>
          <h2 id="price" className={styles.price}>
            <span>{`${price} a month, `}</span>
            <span>{isLaunch ? 'locked for life' : 'cancel any time'}</span>
          </h2>
          {isLaunch && (
            <p className={styles.later}>
              {standardPrice}/month from <span className="whole">{risesOn}</span>
            </p>
          )}
        </div>
        <div>
          {isLaunch && (
            <Sum
              terms={[
                {
                  label: `From ${risesOn}`,
                  working: `${standardPrice} × 12`,
                  value: formatPence(OFFER.standardPricePence * 12),
                },
                {
                  label: 'If you join before',
                  working: `${price} × 12`,
                  value: formatPence(monthlyPricePence * 12),
                },
              ]}
              result={{ label: 'You save per year', value: savingPerYear }}
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
