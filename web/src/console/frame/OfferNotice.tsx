import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import { isUrgencyClaimStale } from '@site/schema/offer';
import { useState } from 'react';
import { siteSettings } from '../../site-settings.ts';
import { readStored, writeStored } from '../../stored-text.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import { useNow } from '../time/use-now.ts';
import styles from './OfferNotice.module.css';

const CLOSED_ON = 'offer-notice-closed-on';

/**
 * Says that the site still announces a price rise whose day has passed, which would mislead visitors. Once closed it
 * comes back the next day.
 */
export function OfferNotice() {
  const today = londonDate(useNow(false));
  const [closedOn, setClosedOn] = useState(() => readStored('localStorage', CLOSED_ON));
  const { offerPhase, priceRisesOn } = siteSettings();
  if (closedOn === today || !isUrgencyClaimStale(offerPhase, priceRisesOn, today)) return null;
  const close = () => {
    writeStored('localStorage', CLOSED_ON, today);
    setClosedOn(today);
  };
  return (
    <section className={styles.notice} aria-label="The offer">
      <p>
        The price rise of {formatCalendarDate(priceRisesOn)} has passed
        <span className={styles.rest}>
          , but the site still announces it. Set <code>OFFER_PHASE=standard</code> or a later{' '}
          <code>OFFER_PRICE_RISES_ON</code>
        </span>
        .
      </p>
      <button type="button" className={styles.close} aria-label="Close this notice until tomorrow" onClick={close}>
        <CloseIcon />
      </button>
    </section>
  );
}
