import type { Clock } from '@site/platform/process/clock';
import type Stripe from 'stripe';
import { STRIPE_PRODUCT_ID } from '../stripe/catalog.ts';

const KEPT_MS = 5 * 60_000;

export type PriceBook = {
  /** Returns the id of the price with this lookup key, or null if our product has none. Throws Stripe's error. */
  find(lookupKey: string, options?: Stripe.RequestOptions): Promise<string | null>;
  forget(lookupKey: string): void;
};

/**
 * Prices by lookup key, fetched on first use and cached for five minutes, because `stripe:setup` may create them or
 * move their keys at any time.
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
      const price = data.find(
        ({ product }) => (typeof product === 'string' ? product : product.id) === STRIPE_PRODUCT_ID,
      );
      if (!price) return null;
      kept.set(lookupKey, { id: price.id, untilMs: clock.now().getTime() + KEPT_MS });
      return price.id;
    },
    forget(lookupKey) {
      kept.delete(lookupKey);
    },
  };
}
