import { OFFER } from '@site/schema/offer';
import type { BillingInterval } from '@site/schema/offer';
import type Stripe from 'stripe';
import { z } from 'zod';
import { STRIPE_PRODUCT_ID } from '../../stripe/catalog.ts';
import { idOf } from '../../stripe/stripe.client.ts';
import { failureOf } from '../../stripe/stripe-failure.ts';

/*
 * Reads a subscription's current state from Stripe, and ignores the event's copy, because events
 * come late, twice and in any order. An unreadable part never hides the status. Before:
 * `event-reading.ts`, `checkout-reading.ts`. Next: `store-reading.ts`.
 */

/** A subscription at Stripe just after `readAt`. */
export type SubscriptionSnapshot = Exclude<ReturnType<typeof toSnapshot>, Foreign>;

/** An object of the account that belongs to another product. */
export type Foreign = 'foreign';

export const ofProduct = z.object({ price: z.object({ product: z.string() }).nullish() });
/** Stripe's seconds since 1970. */
export const instant = z.int().transform((seconds) => new Date(seconds * 1_000));

const stripeSubscription = z.object({
  id: z.string(),
  status: z.string(),
  customer: z.union([z.string(), z.object({ id: z.string() })]),
  items: z.object({ data: z.array(ofProduct) }),
});

/** Parts of a subscription that are read one by one. */
const PARTS = {
  customer: z.object({
    customer: z.object({ email: z.string().nullish(), name: z.string().nullish() }),
  }),
  /** Discounts on an item or the customer are not read. */
  coupon: z.object({
    customer: z.union([z.string(), z.object({ discount: z.null().optional() })]),
    items: z.object({ data: z.array(z.object({ discounts: z.array(z.never()).optional() })) }),
    discounts: z.array(
      z.object({
        source: z.object({
          coupon: z.object({
            id: z.string(),
            percent_off: z.number().nullable(),
            amount_off: z.int().nullable(),
            duration: z.string(),
          }),
        }),
      }),
    ),
  }),
  /** Our items. They must share an interval. */
  price: z
    .array(
      z.object({
        quantity: z.int().default(1),
        price: z.object({
          currency: z.literal(OFFER.currency),
          unit_amount: z.int(),
          recurring: z.object({
            interval: z.enum(['month', 'year']),
            interval_count: z.literal(1),
          }),
        }),
      }),
    )
    .transform((items) => ({
      intervals: [...new Set(items.map(({ price }) => price.recurring.interval))],
      pence: items.reduce((sum, { quantity, price }) => sum + quantity * price.unit_amount, 0),
    }))
    .refine(({ intervals }) => intervals.length === 1),
  period: z.object({ current_period_end: instant }),
  dates: z.object({
    start_date: instant,
    trial_end: instant.nullable(),
    cancel_at: instant.nullable(),
    cancel_at_period_end: z.boolean(),
    canceled_at: instant.nullable(),
    ended_at: instant.nullable(),
  }),
  details: z.object({
    metadata: z.record(z.string(), z.string()),
    cancellation_details: z
      .object({ feedback: z.string().nullable(), reason: z.string().nullish() })
      .nullish(),
    pause_collection: z.object({}).nullable(),
  }),
  invoice: z.object({
    latest_invoice: z
      .object({
        id: z.string(),
        status: z.string().nullable(),
        attempt_count: z.int(),
        next_payment_attempt: instant.nullable(),
        hosted_invoice_url: z.string().nullish(),
      })
      .nullable(),
  }),
};
export type SubscriptionPart = keyof typeof PARTS;

/** Parts that Stripe should include, if it can. */
export const INCLUDED = ['customer', 'discounts.source.coupon', 'latest_invoice'];
/** Parts that Stripe includes even if another part is missing. */
const ALWAYS_INCLUDED = ['customer'];

/**
 * Reads a subscription. Throws Stripe's error, or a zod error for a shape without id, status and
 * customer.
 */
export async function readSubscription(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<SubscriptionSnapshot | Foreign> {
  const answer = await includingWhatExists((expand) =>
    stripe.subscriptions.retrieve(id, { expand }),
  );
  return toSnapshot(answer, readAt);
}

/** Reads our subscriptions of a customer that are not over. Throws as `readSubscription` does. */
export async function readSubscriptionsOf(
  stripe: Stripe,
  customer: string,
  readAt: string,
): Promise<SubscriptionSnapshot[]> {
  const { data } = await includingWhatExists((parts) =>
    stripe.subscriptions.list({
      customer,
      limit: 100,
      expand: parts.map((part) => `data.${part}`),
    }),
  );
  return data.map((answer) => toSnapshot(answer, readAt)).filter((each) => each !== 'foreign');
}

/**
 * Reads subscriptions with their parts, or with fewer if Stripe refuses, because one missing part
 * refuses the whole call.
 */
export async function includingWhatExists<T>(read: (parts: string[]) => Promise<T>): Promise<T> {
  try {
    return await read(INCLUDED);
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== 'refused' && failure !== 'forbidden') throw error;
    return read(ALWAYS_INCLUDED);
  }
}

export function isOurs(items: z.infer<typeof ofProduct>[]): boolean {
  return items.some((item) => item.price?.product === STRIPE_PRODUCT_ID);
}

/**
 * Converts a subscription in Stripe's form. Throws a zod error for a shape without id, status and
 * customer.
 */
export function toSnapshot(answer: unknown, readAt: string) {
  const { id, status, customer, items } = stripeSubscription.parse(answer);
  const { data } = z
    .object({ items: z.object({ data: z.array(z.unknown()) }) })
    .parse(answer).items;
  const ours = data.filter((_, index) => isOurs(items.data.slice(index, index + 1)));
  if (ours.length === 0) return 'foreign';

  const unreadParts: SubscriptionPart[] = [];
  const read = <Part extends SubscriptionPart>(part: Part, from: unknown) => {
    const result = PARTS[part].safeParse(from) as z.ZodSafeParseResult<
      z.output<(typeof PARTS)[Part]>
    >;
    if (!result.success) unreadParts.push(part);
    return result.data;
  };
  const dates = read('dates', answer);
  const details = read('details', answer);
  const price = read('price', ours);
  const periodEndsAt = read('period', ours[0])?.current_period_end ?? null;
  const coupons = read('coupon', answer)?.discounts.map((discount) => discount.source.coupon) ?? [];
  const invoice = read('invoice', answer)?.latest_invoice ?? null;
  const listPence = price?.pence ?? 0;
  const person = read('customer', answer)?.customer;
  const plan: BillingInterval = price?.intervals[0] === 'year' ? 'annual' : 'monthly';
  return {
    stripeSubscriptionId: id,
    stripeCustomerId: idOf(customer),
    customerEmail: person?.email ?? null,
    customerName: person?.name ?? null,
    leadReference: details?.metadata['lead_id'] ?? null,
    /** Our checkout created it, and the checkout's event makes a lead. */
    isFromCheckout: details?.metadata['offer_phase'] !== undefined,
    status,
    plan,
    coupon: coupons[0]?.id ?? null,
    /** The cost of each period after discounts. */
    amountPence: discount(listPence, coupons),
    /** The price with only the discounts that never end: recurring revenue. */
    recurringPence: discount(
      listPence,
      coupons.filter(({ duration }) => duration === 'forever'),
    ),
    startedAt: dates?.start_date ?? null,
    trialEndsAt: dates?.trial_end ?? null,
    periodEndsAt,
    cancelAt: dates?.cancel_at ?? (dates?.cancel_at_period_end ? periodEndsAt : null),
    canceledAt: dates?.canceled_at ?? null,
    endedAt: dates?.ended_at ?? null,
    /** The reason for the end, in Stripe's words: the customer's, or a missing payment. */
    cancellationFeedback: toFeedback(details?.cancellation_details),
    isCollectionPaused: details !== undefined && details.pause_collection !== null,
    latestInvoice: invoice && {
      id: invoice.id,
      attempts: invoice.attempt_count,
      nextAttemptAt: invoice.next_payment_attempt,
      paymentUrl: invoice.status === 'open' ? (invoice.hosted_invoice_url ?? null) : null,
    },
    /**
     * Parts that could not be read. Their fields have placeholders, which never replace a stored
     * value.
     */
    unreadParts,
    /** Postgres's clock, as text: a Date would drop the microseconds that order two readings. */
    readAt,
  };
}

const toFeedback = (
  details: { feedback: string | null; reason?: string | null | undefined } | null | undefined,
) => details?.feedback ?? (details?.reason?.startsWith('payment_') ? details.reason : null);

type Discount = { percent_off: number | null; amount_off: number | null };

function discount(pence: number, coupons: readonly Discount[]): number {
  return coupons.reduce(
    (rest, { percent_off, amount_off }) =>
      Math.max(0, Math.round((rest * (100 - (percent_off ?? 0))) / 100) - (amount_off ?? 0)),
    pence,
  );
}
