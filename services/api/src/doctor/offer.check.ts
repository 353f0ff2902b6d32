import { error, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import type { Clock } from '@site/platform/process/clock';
import type { Logger } from '@site/platform/process/logger';
import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import { isUrgencyClaimStale } from '@site/schema/offer';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { ApiSettings } from '../settings.ts';

/** Reports a price rise whose date has passed, because the site promised visitors that price. */
export function examineOffer(
  { isProduction, site: { offerPhase, priceRisesOn } }: Pick<ApiSettings, 'isProduction' | 'site'>,
  clock: Clock,
): Finding[] {
  if (!isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(clock.now()))) return [];
  const toFinding = isProduction ? error : warning;
  return [
    toFinding(
      'API settings',
      `the offer has a price rise on ${formatCalendarDate(priceRisesOn)}, which has passed`,
      'Set OFFER_PHASE=standard, or a later OFFER_PRICE_RISES_ON.',
    ),
  ];
}

/** Logs the same warning at the start, except for the default date, which nobody has set. */
export function warnOfStaleOffer(
  log: Logger,
  settings: Pick<ApiSettings, 'isProduction' | 'site'>,
  clock: Clock,
): void {
  if (settings.site.priceRisesOn === DEFAULT_SITE_SETTINGS.priceRisesOn) return;
  for (const { message } of examineOffer(settings, clock))
    log.warn({ setting: 'OFFER_PRICE_RISES_ON' }, `OFFER_PRICE_RISES_ON: ${message}`);
}
