import { OFFER } from '@site/schema/offer';
import type { BillingInterval } from '@site/schema/offer';
import type Stripe from 'stripe';
import { z } from 'zod';
import { STRIPE_PRODUCT_ID } from './catalog.ts';

/*
 * Reads the current state of a subscription or a checkout from Stripe, whatever an event says of it: events come
 * late, twice and in any order. Before: `event-effects.ts`, `checkout-state.service.ts`. Next:
 * `subscription.service.ts`.
 */

/** A subscription at Stripe just after `readAt`. */
export type SubscriptionSnapshot = {
  stripeSubscriptionId: string;
  stripeCustomerId: string;
  customerEmail: string | null;
  leadReference: string | null;
  status: string;
  plan: BillingInterval;
  coupon: string | null;
  /** What each period costs after discounts. */
  amountPence: number;
  startedAt: Date;
  trialEndsAt: Date | null;
  periodEndsAt: Date;
  cancelAt: Date | null;
  priceId: string;
  canceledAt: Date | null;
  endedAt: Date | null;
  cancellationFeedback: string | null;
  isCollectionPaused: boolean;
  /** The latest invoice: whether it is paid, and what Stripe does next to get it paid. */
  latestInvoice: {
    id: string;
    status: string | null;
    attempts: number;
    nextAttemptAt: Date | null;
    paymentUrl: string | null;
  } | null;
  /** Postgres's clock, as text: a Date would drop the microseconds that order two readings. */
  readAt: string;
};

/** A checkout at Stripe. `complete` means that the visitor is done and any money due today has been paid. */
export type CheckoutReading = {
  id: string;
  createdAt: Date;
  email: string | null;
  name: string | null;
  phone: string | null;
  leadReference: string | null;
  /** The expired checkout whose recovery link started this one. */
  recoveredFrom: string | null;
  paidTodayPence: number;
  readAt: string;
} & (
  | { state: 'complete'; subscription: SubscriptionSnapshot }
  | { state: 'waiting'; isComplete: boolean }
  | { state: 'expired'; recovery: { url: string; endsAt: Date | null } | null }
);
export type CompleteCheckout = Extract<CheckoutReading, { state: 'complete' }>;

/** An object of the account that belongs to another product. */
export type Foreign = 'foreign';

const ofProduct = z.object({ price: z.object({ product: z.string() }).nullish() });
/** Stripe's seconds since 1970. */
export const instant = z.int().transform((seconds) => new Date(seconds * 1_000));

const subscriptionProducts = z.object({ items: z.object({ data: z.array(ofProduct) }) });

const ourItem = z.object({
  quantity: z.int().default(1),
  current_period_end: instant,
  price: z.object({
    id: z.string(),
    currency: z.literal(OFFER.currency),
    unit_amount: z.int(),
    recurring: z.object({ interval: z.enum(['month', 'year']), interval_count: z.literal(1) }),
  }),
});

const stripeSubscription = z.object({
  id: z.string(),
  status: z.string(),
  customer: z.object({ id: z.string(), email: z.string().nullish() }),
  discounts: z.array(
    z.object({
      source: z.object({
        coupon: z.object({ id: z.string(), percent_off: z.number().nullable(), amount_off: z.int().nullable() }),
      }),
    }),
  ),
  metadata: z.record(z.string(), z.string()),
  start_date: instant,
  trial_end: instant.nullable(),
  cancel_at: instant.nullable(),
  cancel_at_period_end: z.boolean(),
  canceled_at: instant.nullable(),
  ended_at: instant.nullable(),
  cancellation_details: z.object({ feedback: z.string().nullable() }).nullish(),
  pause_collection: z.object({}).nullable(),
  latest_invoice: z
    .object({
      id: z.string(),
      status: z.string().nullable(),
      attempt_count: z.int(),
      next_payment_attempt: instant.nullable(),
      hosted_invoice_url: z.string().nullish(),
    })
    .nullable(),
});

const checkoutProducts = z.object({ line_items: z.object({ data: z.array(ofProduct) }).nullish() });

const stripeCheckout = z.object({
  id: z.string(),
  created: instant,
  status: z.enum(['open', 'complete', 'expired']),
  payment_status: z.string(),
  amount_total: z.int().nullable(),
  client_reference_id: z.string().nullable(),
  customer_email: z.string().nullable(),
  recovered_from: z.string().nullish(),
  after_expiration: z
    .object({ recovery: z.object({ url: z.string().nullable(), expires_at: instant.nullable() }).nullish() })
    .nullish(),
  customer_details: z
    .object({ email: z.string().nullish(), name: z.string().nullish(), phone: z.string().nullish() })
    .nullable(),
});

const SUBSCRIPTION_PARTS = ['customer', 'discounts.source.coupon', 'latest_invoice'];

/** Reads a subscription. Throws Stripe's error, or a zod error for an unknown shape. */
export async function readSubscription(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<SubscriptionSnapshot | Foreign> {
  return toSnapshot(await stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_PARTS }), readAt);
}

/** Reads a checkout with its subscription. Throws as `readSubscription` does. */
export async function readCheckout(
  stripe: Stripe,
  id: string,
  readAt: string,
  options: Stripe.RequestOptions = {},
): Promise<CheckoutReading | Foreign> {
  const expand = ['line_items', 'subscription', ...SUBSCRIPTION_PARTS.map((part) => `subscription.${part}`)];
  const found = await stripe.checkout.sessions.retrieve(id, { expand }, options);
  if (!isOurs(checkoutProducts.parse(found).line_items?.data ?? [])) return 'foreign';

  const session = stripeCheckout.parse(found);
  const payer = session.customer_details;
  const checkout = {
    id: session.id,
    createdAt: session.created,
    email: payer?.email ?? session.customer_email,
    name: payer?.name ?? null,
    phone: payer?.phone ?? null,
    leadReference: session.client_reference_id,
    recoveredFrom: session.recovered_from ?? null,
    paidTodayPence: session.payment_status === 'paid' ? (session.amount_total ?? 0) : 0,
    readAt,
  };
  if (session.status === 'expired') {
    const { url, expires_at: endsAt } = session.after_expiration?.recovery ?? { url: null, expires_at: null };
    return { ...checkout, state: 'expired', recovery: url === null ? null : { url, endsAt } };
  }
  // Complete but unpaid: a slow payment method. A later event tells whether the money arrived.
  if (session.status === 'open' || session.payment_status === 'unpaid') {
    return { ...checkout, state: 'waiting', isComplete: session.status === 'complete' };
  }
  const subscription = toSnapshot(found.subscription, readAt);
  return subscription === 'foreign' ? subscription : { ...checkout, state: 'complete', subscription };
}

function isOurs(items: z.infer<typeof ofProduct>[]): boolean {
  return items.some((item) => item.price?.product === STRIPE_PRODUCT_ID);
}

function toSnapshot(found: unknown, readAt: string): SubscriptionSnapshot | Foreign {
  // Checks the product first, because other products' prices may have any shape.
  const index = subscriptionProducts.parse(found).items.data.findIndex((item) => isOurs([item]));
  if (index === -1) return 'foreign';

  const subscription = stripeSubscription.parse(found);
  const item = z.object({ items: z.object({ data: z.array(z.unknown()) }) }).parse(found).items.data[index];
  const { price, quantity, current_period_end: periodEndsAt } = ourItem.parse(item);
  const { latest_invoice: invoice } = subscription;
  const coupons = subscription.discounts.map((discount) => discount.source.coupon);
  return {
    stripeSubscriptionId: subscription.id,
    stripeCustomerId: subscription.customer.id,
    customerEmail: subscription.customer.email ?? null,
    leadReference: subscription.metadata['lead_id'] ?? null,
    status: subscription.status,
    plan: price.recurring.interval === 'year' ? 'annual' : 'monthly',
    coupon: coupons[0]?.id ?? null,
    amountPence: coupons.reduce(
      (pence, { percent_off, amount_off }) =>
        Math.max(0, Math.round((pence * (100 - (percent_off ?? 0))) / 100) - (amount_off ?? 0)),
      price.unit_amount * quantity,
    ),
    startedAt: subscription.start_date,
    trialEndsAt: subscription.trial_end,
    periodEndsAt,
    cancelAt: subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEndsAt : null),
    priceId: price.id,
    canceledAt: subscription.canceled_at,
    endedAt: subscription.ended_at,
    cancellationFeedback: subscription.cancellation_details?.feedback ?? null,
    isCollectionPaused: subscription.pause_collection !== null,
    latestInvoice: invoice && {
      id: invoice.id,
      status: invoice.status,
      attempts: invoice.attempt_count,
      nextAttemptAt: invoice.next_payment_attempt,
      paymentUrl: invoice.status === 'open' ? (invoice.hosted_invoice_url ?? null) : null,
    },
    readAt,
  };
}
