import { formatCalendarDate } from '@site/schema/calendar';
import {
  formatPence,
  launchSavingPerYearPence,
  monthlyPricePence,
  OFFER,
} from '@site/schema/offer';
import type { SiteSettings } from '@site/schema/site-settings';
import { siteSettings } from '../site-settings.ts';

export type ShownOffer = {
  /** True during the launch. Claims about the price's rise and lock depend on it. */
  isLaunch: boolean;
  monthlyPricePence: number;
  /** Such as `£239`. */
  price: string;
  /** The price after the launch, `£299`. */
  standardPrice: string;
  /** Such as `1 January 2026`. */
  risesOn: string;
  savingPerYear: string;
};

/** Formats the offer for the pages, in the phase the operator has set. */
export function shownOffer(
  { offerPhase, priceRisesOn }: SiteSettings = siteSettings(),
): ShownOffer {
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
