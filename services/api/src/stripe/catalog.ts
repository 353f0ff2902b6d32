import {
  BILLING_INTERVALS,
  OFFER,
  OFFER_PHASES,
  UPSELL_PLANS,
  UPSELLS,
  listPricePence,
  priceLookupKey,
} from '@site/schema/offer';
import type { BillingInterval, UpsellPlan } from '@site/schema/offer';

/**
 * Our product's id in the Stripe account, chosen by us. It identifies our objects in an account
 * that may sell other products: lookup keys move between prices and names change, but this id does
 * not.
 */
export const STRIPE_PRODUCT_ID = 'paid_newsletter';

export type CatalogPrice = { lookupKey: string; interval: BillingInterval; amountPence: number };
export type CatalogCoupon = { id: UpsellPlan; name: string; percentOff: number };

/**
 * One price for each phase and billing interval. All phases exist side by side, so changing the phase needs no
 * set-up.
 */
export const CATALOG_PRICES: readonly CatalogPrice[] = OFFER_PHASES.flatMap((phase) =>
  BILLING_INTERVALS.map((interval) => ({
    lookupKey: priceLookupKey(phase, interval),
    interval,
    amountPence: listPricePence(phase, interval),
  })),
);

/** One coupon for each upsell plan, with the plan's name as its id. */
export const CATALOG_COUPONS: readonly CatalogCoupon[] = UPSELL_PLANS.map((id) => ({
  id,
  name: `${OFFER.productName}: ${UPSELLS[id].percentOff}% off`.slice(0, 40),
  percentOff: UPSELLS[id].percentOff,
}));
