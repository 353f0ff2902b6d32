import { OFFER, formatPence } from '@site/schema/offer';
import type { OfferPhase } from '@site/schema/offer';
import type Stripe from 'stripe';
import { CATALOG_COUPONS, CATALOG_PRICES, STRIPE_PRODUCT_ID } from './catalog.ts';
import type { CatalogCoupon, CatalogPrice } from './catalog.ts';
import { planPortal } from './portal-set-up.ts';
import type { Change } from './portal-set-up.ts';
import { orMissing } from './stripe-failure.ts';

/**
 * Lists the changes that the account needs, in the order to apply them. Empty if it matches the offer. Only reads. The
 * phase chooses the prices between which a subscriber can switch. Throws Stripe's error.
 */
export async function planSetUp(stripe: Stripe, phase: OfferPhase): Promise<Change[]> {
  const product = await orMissing(stripe.products.retrieve(STRIPE_PRODUCT_ID));
  // Includes inactive prices, because they keep their lookup keys.
  const prices = await stripe.prices.list({
    lookup_keys: CATALOG_PRICES.map(({ lookupKey }) => lookupKey),
    limit: 100,
  });
  const coupons = await Promise.all(
    CATALOG_COUPONS.map(({ id }) => orMissing(stripe.coupons.retrieve(id))),
  );
  const priceChanges = CATALOG_PRICES.flatMap((wanted) =>
    planPrice(
      stripe,
      wanted,
      prices.data.find((price) => price.lookup_key === wanted.lookupKey),
    ),
  );
  return [
    ...planProduct(stripe, product),
    ...priceChanges,
    ...CATALOG_COUPONS.flatMap((wanted, index) =>
      planCoupon(stripe, wanted, coupons[index] ?? null),
    ),
    ...(await planPortal(stripe, { phase, arePricesKept: priceChanges.length === 0 })),
  ];
}

function planProduct(stripe: Stripe, found: Stripe.Product | null): Change[] {
  const wanted = { name: OFFER.productName, active: true };
  if (!found) {
    return [
      {
        description: `create product ${STRIPE_PRODUCT_ID} "${wanted.name}"`,
        apply: () => stripe.products.create({ id: STRIPE_PRODUCT_ID, ...wanted }),
      },
    ];
  }
  if (found.name === wanted.name && found.active) return [];
  return [
    {
      description: `update product ${STRIPE_PRODUCT_ID}: name "${wanted.name}", active`,
      apply: () => stripe.products.update(STRIPE_PRODUCT_ID, wanted),
    },
  ];
}

function planPrice(
  stripe: Stripe,
  wanted: CatalogPrice,
  found: Stripe.Price | undefined,
): Change[] {
  const { lookupKey, amountPence } = wanted;
  const interval = wanted.interval === 'annual' ? 'year' : 'month';
  const isRight =
    found?.active &&
    found.product === STRIPE_PRODUCT_ID &&
    found.currency === OFFER.currency &&
    found.unit_amount === amountPence &&
    found.recurring?.interval === interval &&
    found.recurring.interval_count === 1;
  if (isRight) return [];
  const price = `${formatPence(amountPence)} a ${interval}`;
  return [
    {
      description: found
        ? `replace price ${lookupKey}: ${price}; subscribers keep ${found.id}`
        : `create price ${lookupKey}: ${price}`,
      // An amount cannot be changed. A new price takes over the lookup key in the same call.
      apply: () =>
        stripe.prices.create({
          product: STRIPE_PRODUCT_ID,
          currency: OFFER.currency,
          unit_amount: amountPence,
          recurring: { interval },
          tax_behavior: 'inclusive',
          lookup_key: lookupKey,
          ...(found && { transfer_lookup_key: true }),
        }),
    },
  ];
}

function planCoupon(
  stripe: Stripe,
  { id, name, percentOff }: CatalogCoupon,
  found: Stripe.Coupon | null,
): Change[] {
  // Forever, because the price is promised for life.
  const create = () =>
    stripe.coupons.create({ id, name, percent_off: percentOff, duration: 'forever' });
  if (!found)
    return [{ description: `create coupon ${id}: ${percentOff}% off, forever`, apply: create }];
  if (found.percent_off !== percentOff || found.duration !== 'forever' || !found.valid) {
    return [
      {
        description: `replace coupon ${id}: ${percentOff}% off, forever; subscribers keep theirs`,
        apply: async () => {
          await stripe.coupons.del(id);
          await create();
        },
      },
    ];
  }
  if (found.name === name) return [];
  return [
    {
      description: `update coupon ${id}: name "${name}"`,
      apply: () => stripe.coupons.update(id, { name }),
    },
  ];
}
