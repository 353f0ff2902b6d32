import { formatCalendarDate, londonDate } from '@site/schema/calendar';
import {
  formatPence,
  isUrgencyClaimStale,
  launchSavingPerYearPence,
  monthlyPricePence,
  OFFER,
} from '@site/schema/offer';
import type { SiteSettings } from '@site/schema/site-settings';
import { siteSettings } from '../site-settings.ts';

export type ShownOffer = {
  /** True during the launch. Claims about the price's lock depend on it. */
  isLaunch: boolean;
  monthlyPricePence: number;
  /** Such as `£239`. */
  price: string;
};

/** The announced end of the launch price. */
export type ShownRise = {
  /** The price after the launch, `£299`. */
  standardPrice: string;
  /** Such as `1 January 2026`. */
  risesOn: string;
  savingPerYear: string;
};

/** Formats the offer for the pages, in the phase the operator has set. */
export function shownOffer({ offerPhase }: SiteSettings = siteSettings()): ShownOffer {
  const pricePence = monthlyPricePence(offerPhase);
  return {
    isLaunch: offerPhase === 'launch',
    monthlyPricePence: pricePence,
    price: formatPence(pricePence),
  };
}

/** Formats the announced price rise. Returns null after the launch, or once its day has come. */
export function shownRise(now: Date): ShownRise | null {
  const { offerPhase, priceRisesOn, keepsPastRise } = siteSettings();
  const isOver = !keepsPastRise && isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(now));
  if (offerPhase !== 'launch' || isOver) return null;
  return {
    standardPrice: formatPence(OFFER.standardPricePence),
    risesOn: formatCalendarDate(priceRisesOn),
    savingPerYear: formatPence(launchSavingPerYearPence()),
  };
}
