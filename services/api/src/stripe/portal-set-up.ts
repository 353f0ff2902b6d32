import { BILLING_INTERVALS, priceLookupKey } from '@site/schema/offer';
import type { OfferPhase } from '@site/schema/offer';
import type Stripe from 'stripe';
import { STRIPE_PRODUCT_ID } from './catalog.ts';

/*
 * The customer portal behind "Manage subscription": one configuration of ours, found by its
 * metadata. A portal made in Stripe's dashboard stays as it is.
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
 * A subscriber's rights, apart from switching the price. Only we change emails, because tiers
 * follow them.
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
  for await (const found of stripe.billingPortal.configurations.list({
    active: true,
    limit: 100,
    expand,
  })) {
    if (found.metadata?.['product'] === STRIPE_PRODUCT_ID) return found;
  }
  return undefined;
}

/**
 * Plans the portal: cancel at the end of the period, and switch between the monthly and the annual
 * price. Without `arePricesKept` it will have to name other prices.
 */
export async function planPortal(
  stripe: Stripe,
  { phase, arePricesKept }: { phase: OfferPhase; arePricesKept: boolean },
): Promise<Change[]> {
  const [found, prices] = await Promise.all([readPortal(stripe), listPrices(stripe, phase)]);
  if (found && arePricesKept && isRight(found, prices)) return [];
  const apply = async () => {
    const params = {
      features: { ...FEATURES, subscription_update: toSwitch(await listPrices(stripe, phase)) },
      login_page: { enabled: true },
      metadata: { product: STRIPE_PRODUCT_ID },
    };
    return found
      ? stripe.billingPortal.configurations.update(found.id, params)
      : stripe.billingPortal.configurations.create(params);
  };
  const what = 'cancel at the end of the period, switch between monthly and annual';
  return [
    {
      description: `${found ? 'update' : 'create'} customer portal: ${what}`,
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
