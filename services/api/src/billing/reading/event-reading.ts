import type Stripe from 'stripe';
import { readCheckout } from './checkout-reading.ts';
import type { CheckoutReading } from './checkout-reading.ts';
import {
  readCharge,
  readCreditNote,
  readDispute,
  readInvoice,
  readRefund,
} from './invoice-reading.ts';
import { readSubscription, readSubscriptionsOf } from './subscription-reading.ts';
import { toCheckoutReading, toReading } from './stripe-reading.ts';
import type { StripeReading } from './stripe-reading.ts';

/*
 * The reading of each event. An event names an object, which is read from Stripe in its current
 * state, so no event depends on an earlier event. `docs/stripe-setup.md` lists the events. Before:
 * `inbox.service.ts`. Next: `store-reading.ts`.
 */

/**
 * Reads an event's object. `told` is the event's copy of it. Only its ids are used. Returns an
 * empty list if there is nothing to store yet, or nothing of ours.
 */
type ReadEvent = (
  stripe: Stripe,
  id: string,
  readAt: string,
  told: unknown,
) => Promise<StripeReading[]>;

const ofMoney =
  (read: (...named: Parameters<ReadEvent>) => Promise<StripeReading | null>): ReadEvent =>
  async (...named) => {
    const reading = await read(...named);
    return reading === null ? [] : [reading];
  };

const ofSubscription: ReadEvent = async (stripe, id, readAt) => [
  toReading(await readSubscription(stripe, id, readAt), id, readAt),
];

/** Somebody may have changed the customer's email. */
const ofCustomer: ReadEvent = async (stripe, id, readAt) =>
  (await readSubscriptionsOf(stripe, id, readAt)).map((subscription) =>
    toReading(subscription, subscription.stripeSubscriptionId, readAt),
  );
const ofInvoice = ofMoney(readInvoice);
const ofRefund = ofMoney(readRefund);
const ofDispute = ofMoney(readDispute);

const ofCheckout =
  (isLost: (checkout: CheckoutReading) => boolean): ReadEvent =>
  async (stripe, id, readAt) => {
    const checkout = await readCheckout(stripe, id, readAt);
    if (checkout === 'foreign') return [];
    return checkout.state === 'complete' || isLost(checkout) ? [toCheckoutReading(checkout)] : [];
  };

const isExpired = ({ state }: CheckoutReading) => state === 'expired';

const EVENTS: Record<string, ReadEvent> = {
  // Complete but unpaid means a slow payment method. A later event shows whether the money arrived.
  'checkout.session.completed': ofCheckout(isExpired),
  'checkout.session.async_payment_succeeded': ofCheckout(isExpired),
  'checkout.session.async_payment_failed': ofCheckout(() => true),
  'checkout.session.expired': ofCheckout(isExpired),
  'customer.updated': ofCustomer,
  'customer.subscription.created': ofSubscription,
  'customer.subscription.updated': ofSubscription,
  'customer.subscription.deleted': ofSubscription,
  'invoice.finalized': ofInvoice,
  'invoice.paid': ofInvoice,
  'invoice.payment_failed': ofInvoice,
  'invoice.voided': ofInvoice,
  'invoice.marked_uncollectible': ofInvoice,
  'credit_note.created': ofMoney(readCreditNote),
  'charge.refunded': ofMoney(readCharge),
  'refund.updated': ofRefund,
  'refund.failed': ofRefund,
  'charge.dispute.created': ofDispute,
  'charge.dispute.updated': ofDispute,
  'charge.dispute.closed': ofDispute,
};

/**
 * The events we act on. At most twenty, the maximum that Stripe filters by. Other events are
 * ignored.
 */
export const STRIPE_EVENT_TYPES: readonly string[] = Object.keys(EVENTS);

/** Returns the reader for an event type, or undefined if we do not act on it. */
export function readerOf(eventType: string): ReadEvent | undefined {
  return Object.hasOwn(EVENTS, eventType) ? EVENTS[eventType] : undefined;
}
