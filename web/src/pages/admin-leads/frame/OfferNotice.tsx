import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import { isUrgencyClaimStale } from '@site/schema/offer';
import { siteSettings } from '../../../site-settings.ts';
import { useNow } from '../time/use-now.ts';
import styles from './OfferNotice.module.css';

/** Says that the site still announces a price rise whose day has passed, which would mislead visitors. */
export function OfferNotice() {
  const now = useNow(false);
  const { offerPhase, priceRisesOn } = siteSettings();
  if (!isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(now))) return null;
  return (
    <section className={styles.notice} aria-label="The offer">
      The site still says that the price rises on {formatCalendarDate(priceRisesOn)}, which has passed. Set{' '}
      <code>OFFER_PHASE=standard</code> or a later <code>OFFER_PRICE_RISES_ON</code>.
    </section>
  );
}
