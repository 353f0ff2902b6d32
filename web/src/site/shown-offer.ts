import { formatCalendarDate } from '@site/schema/calendar';
import { formatPence, launchSavingPerYearPence, monthlyPricePence, OFFER } from '@site/schema/offer';
import type { SiteSettings } from '@site/schema/site-settings';
import { siteSettings } from '../site-settings.ts';

export type ShownOffer = {
  /** True while the launch price is on offer, and with it every claim about its rise and its lock. */
  isLaunch: boolean;
  monthlyPricePence: number;
  /** `£239` */
  price: string;
  /** The price after the launch, `£299`. */
  standardPrice: string;
  /** `1 January 2026` */
  risesOn: string;
  savingPerYear: string;
};

/** The offer in the words and figures the pages show, for the phase the operator has set. */
export function shownOffer({ offerPhase, priceRisesOn }: SiteSettings = siteSettings()): ShownOffer {
  const pricePence = monthlyPricePence(offerPhase);
  return {
    isLaunch: offerPhase === 'launch',
    monthlyPricePence: pricePence,
    price: formatPence(pricePence),
    standardPrice: formatPence(OFFER.standardPricePence),
    risesOn: formatCalendarDate(priceRisesOn),
    savingPerYear: formatPence(launchSavingPerYearPence()),
  };
}
