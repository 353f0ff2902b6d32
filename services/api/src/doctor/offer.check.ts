import type { Clock } from '@site/platform/process/clock';
import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import { isUrgencyClaimStale } from '@site/schema/offer';
import type { ApiSettings } from '../settings.ts';

/**
 * Checks that the pages do not announce a price rise whose date has passed, which would mislead visitors: an error where
 * there are some.
 */
export function examineOffer(
  { isProduction, site: { offerPhase, priceRisesOn } }: Pick<ApiSettings, 'isProduction' | 'site'>,
  clock: Clock,
): Finding {
  if (!isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(clock.now()))) {
    return ok(
      'offer',
      offerPhase === 'launch' ? `the price rises on ${formatCalendarDate(priceRisesOn)}` : 'standard price',
    );
  }
  return (isProduction ? error : warning)(
    'offer',
    `OFFER_PRICE_RISES_ON: the site still says that the price rises on ${formatCalendarDate(priceRisesOn)}, which is past`,
    'Set OFFER_PHASE=standard, or OFFER_PRICE_RISES_ON to a later day.',
  );
}
