import type { Clock } from '@site/platform/process/clock';
import { error, ok } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import { isUrgencyClaimStale } from '@site/schema/offer';
import type { ApiSettings } from '../settings.ts';

/** Checks that the pages do not announce a price rise whose date has passed, which would mislead visitors. */
export function examineOffer({ offerPhase, priceRisesOn }: ApiSettings['site'], clock: Clock): Finding {
  if (!isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(clock.now()))) {
    return ok(
      'offer',
      offerPhase === 'launch' ? `the price rises on ${formatCalendarDate(priceRisesOn)}` : 'standard price',
    );
  }
  return error(
    'offer',
    `OFFER_PRICE_RISES_ON: the site still says that the price rises on ${formatCalendarDate(priceRisesOn)}, which is past`,
    'Set OFFER_PHASE=standard, or OFFER_PRICE_RISES_ON to a later day.',
  );
}
