import {
  intervalOf,
  OFFER_PHASES,
  orderPricePence,
  ORDERED_PLANS,
  UPSELL_PLANS,
} from '@site/schema/offer';
import type Stripe from 'stripe';
import { z } from 'zod';
import { OPERATOR_REQUEST } from '../../stripe/repeatable-call.ts';
import {
  includingWhatExists,
  instant,
  isOurs,
  ofProduct,
  toSnapshot,
} from './subscription-reading.ts';
import type { Foreign } from './subscription-reading.ts';

/*
 * Reads the current state of a checkout from Stripe. Before: `event-reading.ts`,
 * `checkout-state.service.ts`. Next: `store-reading.ts`.
 */

/**
 * A checkout at Stripe. `complete` means that the visitor has finished and any amount due today is
 * paid.
 */
export type CheckoutReading = Exclude<Awaited<ReturnType<typeof readCheckout>>, Foreign>;
export type CompleteCheckout = Extract<CheckoutReading, { state: 'complete' }>;

const checkoutProducts = z.object({ line_items: z.object({ data: z.array(ofProduct) }).nullish() });

/** Only the id, the time and the two statuses must be readable. */
const stripeCheckout = z.object({
  id: z.string(),
  created: instant,
  expires_at: instant.nullish().catch(null),
  status: z.string().nullable(),
  url: z.string().nullish().catch(null),
  payment_status: z.string(),
  amount_total: z.int().nullable().catch(null),
  client_reference_id: z.string().nullable().catch(null),
  metadata: z.record(z.string(), z.string()).nullable().catch(null),
  customer_email: z.string().nullable().catch(null),
  recovered_from: z.string().nullish().catch(null),
  after_expiration: z
    .object({
      recovery: z.object({ url: z.string().nullable(), expires_at: instant.nullable() }).nullish(),
    })
    .nullish()
    .catch(null),
  customer_details: z
    .object({
      email: z.string().nullish(),
      name: z.string().nullish(),
      phone: z.string().nullish(),
      tax_ids: z
        .array(z.object({ value: z.string().nullable() }))
        .nullish()
        .catch(null),
    })
    .nullable()
    .catch(null),
  automatic_tax: z.object({ enabled: z.boolean() }).catch({ enabled: false }),
  total_details: z.object({ amount_tax: z.int() }).nullish().catch(null),
});

/** Reads a checkout with its subscription. Throws as `readSubscription` does. */
export async function readCheckout(
  stripe: Stripe,
  id: string,
  readAt: string,
  options: Stripe.RequestOptions = {},
) {
  const found = await includingWhatExists((parts) => {
    const expand = ['line_items', 'subscription', ...parts.map((part) => `subscription.${part}`)];
    return stripe.checkout.sessions.retrieve(id, { expand }, options);
  });
  if (!isOurs(checkoutProducts.parse(found).line_items?.data ?? [])) return 'foreign';

  const session = stripeCheckout.parse(found);
  const payer = session.customer_details;
  const isPaid = session.payment_status === 'paid';
  const operatorRequest = session.metadata?.[OPERATOR_REQUEST] ?? null;
  const checkout = {
    id: session.id,
    createdAt: session.created,
    email: payer?.email ?? session.customer_email,
    name: payer?.name ?? null,
    phone: payer?.phone ?? null,
    leadReference: session.client_reference_id,
    /** The expired checkout whose recovery link started this checkout. */
    recoveredFrom: session.recovered_from ?? null,
    paidTodayPence: isPaid ? (session.amount_total ?? 0) : 0,
    /** The VAT and the buyer's tax ids. Null unless Stripe computes VAT. */
    vat: session.automatic_tax.enabled
      ? {
          paidTodayPence: isPaid ? (session.total_details?.amount_tax ?? 0) : 0,
          taxIds: (payer?.tax_ids ?? []).flatMap(({ value }) => value ?? []),
        }
      : null,
    /** The order: the price of a period with its discount. Null without our metadata. */
    offer: readOffer(session.metadata),
    /** Opened from the sample page, with its discount. */
    isUpsell:
      operatorRequest === null && UPSELL_PLANS.some((plan) => plan === session.metadata?.['plan']),
    /** The operator's request that opened it, a payment link. */
    operatorRequest,
    endsAt: session.expires_at ?? null,
    readAt,
  };
  if (session.status === 'expired') {
    const { url, expires_at: endsAt } = session.after_expiration?.recovery ?? {
      url: null,
      expires_at: null,
    };
    return {
      ...checkout,
      state: 'expired' as const,
      recovery: url === null ? null : { url, endsAt },
    };
  }
  // Complete but unpaid means a slow payment method. A later event shows whether the money arrived.
  if (session.status !== 'complete' || session.payment_status === 'unpaid') {
    return {
      ...checkout,
      state: 'waiting' as const,
      isComplete: session.status === 'complete',
      /** Stripe’s page, while the visitor can still pay on it. */
      url: session.url ?? null,
    };
  }
  const subscription = toSnapshot(found.subscription, readAt);
  return subscription === 'foreign'
    ? subscription
    : { ...checkout, state: 'complete' as const, subscription };
}

/** Reads the order from our metadata, which has no promotion code. */
function readOffer(metadata: Record<string, string> | null) {
  const phase = OFFER_PHASES.find((name) => name === metadata?.['offer_phase']);
  if (phase === undefined) return null;
  const plan = ORDERED_PLANS.find((name) => name === metadata?.['plan']) ?? 'monthly';
  return { plan: intervalOf(plan), amountPence: orderPricePence(phase, plan) };
}
