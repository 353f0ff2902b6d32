import { OFFER, formatPence, BILLING_INTERVALS, priceLookupKey } from '@site/schema/offer';
import type { OfferPhase } from '@site/schema/offer';
import type Stripe from 'stripe';
import { CATALOG_COUPONS, CATALOG_PRICES, STRIPE_PRODUCT_ID } from './catalog.ts';
import type { CatalogCoupon, CatalogPrice } from './catalog.ts';
import { orMissing } from './stripe-failure.ts';

/**
 * Lists the account's necessary changes, in the order to apply them. Empty if the account matches
 * the offer. Only reads. The phase decides the prices between which a subscriber can switch. Throws
 * Stripe's error.
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

function planProduct(stripe: Stripe, current: Stripe.Product | null): Change[] {
  const wanted = { name: OFFER.productName, active: true };
  if (!current) {
    return [
      {
        description: `create product ${STRIPE_PRODUCT_ID} "${wanted.name}"`,
        apply: () => stripe.products.create({ id: STRIPE_PRODUCT_ID, ...wanted }),
      },
    ];
  }
  if (current.name === wanted.name && current.active) return [];
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
  current: Stripe.Price | undefined,
): Change[] {
  const { lookupKey, amountPence } = wanted;
  const interval = wanted.interval === 'annual' ? 'year' : 'month';
  const isRight =
    current?.active &&
    current.product === STRIPE_PRODUCT_ID &&
    current.currency === OFFER.currency &&
    current.unit_amount === amountPence &&
    current.recurring?.interval === interval &&
    current.recurring.interval_count === 1;
  if (isRight) return [];
  const price = `${formatPence(amountPence)} a ${interval}`;
  return [
    {
      description: current
        ? `replace price ${lookupKey}: ${price}; subscribers keep ${current.id}`
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
          ...(current && { transfer_lookup_key: true }),
        }),
    },
  ];
}

function planCoupon(
  stripe: Stripe,
  { id, name, percentOff }: CatalogCoupon,
  current: Stripe.Coupon | null,
): Change[] {
  // Forever, because the price is promised for life.
  const create = () =>
    stripe.coupons.create({ id, name, percent_off: percentOff, duration: 'forever' });
  if (!current)
    return [{ description: `create coupon ${id}: ${percentOff}% off, forever`, apply: create }];
  if (current.percent_off !== percentOff || current.duration !== 'forever' || !current.valid) {
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
  if (current.name === name) return [];
  return [
    {
      description: `update coupon ${id}: name "${name}"`,
      apply: () => stripe.coupons.update(id, { name }),
    },
  ];
}

/*
 * The customer portal behind "Manage subscription". Our configuration is found by its metadata. A
 * portal made in Stripe's dashboard stays unchanged.
 */

/** A difference between the account and the offer, and its remedy. */
export type Change = { description: string; apply: () => Promise<unknown> };

const REASONS = [
  'too_expensive',
  'missing_features',
  'low_quality',
  'unused',
  'switched_service',
  'other',
];

/**
 * A subscriber's rights, except switching the price. Only we change emails, because tiers follow
 * them.
 */
const FEATURES = {
  customer_update: { enabled: true, allowed_updates: ['name', 'address', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: {
    enabled: true,
    mode: 'at_period_end',
    cancellation_reason: { enabled: true, options: REASONS },
  },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features;

/** Reads our portal. Returns undefined if it is not set up. Throws Stripe's error. */
export async function readPortal(
  stripe: Stripe,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const expand = ['data.features.subscription_update.products'];
  for await (const current of stripe.billingPortal.configurations.list({
    active: true,
    limit: 100,
    expand,
  })) {
    if (current.metadata?.['product'] === STRIPE_PRODUCT_ID) return current;
  }
  return undefined;
}

/**
 * Plans the portal: cancel at the end of the period, and switch between the monthly and the annual
 * price. Without `arePricesKept` it must name other prices.
 */
async function planPortal(
  stripe: Stripe,
  { phase, arePricesKept }: { phase: OfferPhase; arePricesKept: boolean },
): Promise<Change[]> {
  const [current, prices] = await Promise.all([readPortal(stripe), listPrices(stripe, phase)]);
  if (current && arePricesKept && isRight(current, prices)) return [];
  const apply = async () => {
    const params = {
      features: { ...FEATURES, subscription_update: toSwitch(await listPrices(stripe, phase)) },
      login_page: { enabled: true },
      metadata: { product: STRIPE_PRODUCT_ID },
    };
    return current
      ? stripe.billingPortal.configurations.update(current.id, params)
      : stripe.billingPortal.configurations.create(params);
  };
  const what = 'cancel at the end of the period, switch between monthly and annual';
  return [
    {
      description: `${current ? 'update' : 'create'} customer portal: ${what}`,
      apply,
    },
  ];
}

async function listPrices(stripe: Stripe, phase: OfferPhase): Promise<string[]> {
  const keys = BILLING_INTERVALS.map((interval) => priceLookupKey(phase, interval));
  const { data } = await stripe.prices.list({ lookup_keys: keys, active: true });
  return data.map(({ id }) => id).toSorted();
}

function toSwitch(prices: string[]) {
  return {
    enabled: true,
    default_allowed_updates: ['price'],
    products: [{ product: STRIPE_PRODUCT_ID, prices }],
    proration_behavior: 'create_prorations',
    // Otherwise a switch would charge at once.
    trial_update_behavior: 'continue_trial',
  };
}

function isRight(
  { features, login_page: login }: Stripe.BillingPortal.Configuration,
  prices: string[],
): boolean {
  const { subscription_cancel: cancel, subscription_update: update } = features;
  const offered = update.products
    ?.find(({ product }) => product === STRIPE_PRODUCT_ID)
    ?.prices.toSorted();
  return (
    login.enabled &&
    cancel.enabled &&
    cancel.mode === 'at_period_end' &&
    features.payment_method_update.enabled &&
    features.invoice_history.enabled &&
    update.enabled &&
    update.default_allowed_updates.join() === 'price' &&
    update.trial_update_behavior === 'continue_trial' &&
    offered?.join() === prices.join()
  );
}
