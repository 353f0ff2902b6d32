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
import type { Clock } from '@site/platform/process/clock';
import type Stripe from 'stripe';
import { idOf } from './stripe.client.ts';

/**
 * Our product's id in the Stripe account, chosen by us. It identifies our objects in an account
 * that may sell other products. Lookup keys move between prices and names change, but this id does
 * not.
 */
export const STRIPE_PRODUCT_ID = 'paid_newsletter';

export type CatalogPrice = { lookupKey: string; interval: BillingInterval; amountPence: number };
export type CatalogCoupon = { id: UpsellPlan; name: string; percentOff: number };

/**
 * One price for each phase and billing interval. All phases exist side by side, so changing the
 * phase needs no set-up.
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

const KEPT_MS = 5 * 60_000;

export type PriceBook = {
  /**
   * Returns the id of the price with this lookup key, or null if our product has none. Throws
   * Stripe's error.
   */
  find(lookupKey: string, options?: Stripe.RequestOptions): Promise<string | null>;
  forget(lookupKey: string): void;
};

/**
 * Creates the prices by lookup key, fetched on first use. They are cached for five minutes, because
 * `stripe:setup` may create them or move their keys at any time.
 */
export function createPriceBook({ stripe, clock }: { stripe: Stripe; clock: Clock }): PriceBook {
  const kept = new Map<string, { id: string; untilMs: number }>();
  return {
    async find(lookupKey, options = {}) {
      const known = kept.get(lookupKey);
      if (known && clock.now().getTime() < known.untilMs) return known.id;
      const { data } = await stripe.prices.list(
        { lookup_keys: [lookupKey], active: true },
        options,
      );
      const price = data.find(({ product }) => idOf(product) === STRIPE_PRODUCT_ID);
      if (!price) return null;
      kept.set(lookupKey, { id: price.id, untilMs: clock.now().getTime() + KEPT_MS });
      return price.id;
    },
    forget(lookupKey) {
      kept.delete(lookupKey);
    },
  };
}
