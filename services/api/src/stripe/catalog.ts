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
 * Our product's id in the Stripe account, chosen by us. What is ours in an account that may sell other
 * things is told by it: lookup keys move between prices, names change, this does not.
 */
export const STRIPE_PRODUCT_ID = 'paid_newsletter';

export type CatalogPrice = { lookupKey: string; interval: BillingInterval; amountPence: number };
export type CatalogCoupon = { id: UpsellPlan; name: string; percentOff: number };

/** One price for each phase and billing interval; the phases exist side by side, so that changing phase needs no set-up. */
export const CATALOG_PRICES: readonly CatalogPrice[] = OFFER_PHASES.flatMap((phase) =>
  BILLING_INTERVALS.map((interval) => ({
    lookupKey: priceLookupKey(phase, interval),
    interval,
    amountPence: listPricePence(phase, interval),
  })),
);

/** One coupon for each upsell plan, under the plan's own name. */
export const CATALOG_COUPONS: readonly CatalogCoupon[] = UPSELL_PLANS.map((id) => ({
  id,
  name: `${OFFER.productName}: ${UPSELLS[id].percentOff}% off`.slice(0, 40),
  percentOff: UPSELLS[id].percentOff,
}));
