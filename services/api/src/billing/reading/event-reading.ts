import type Stripe from 'stripe';
import { readCheckout } from './checkout-reading.ts';
import type { CheckoutReading } from './checkout-reading.ts';
import { readCharge, readDispute, readInvoice, readRefund } from './invoice-reading.ts';
import type { MoneyReading } from './invoice-reading.ts';
import { readSubscription, readSubscriptionsOf } from './subscription-reading.ts';
import type { Foreign, SubscriptionSnapshot } from './subscription-reading.ts';
import type { StripeReading } from './stripe-reading.ts';

/*
 * The reading of each event. An event names an object, which is read from Stripe in its current
 * state, so no event depends on an earlier event. `docs/stripe-setup.md` lists the events. Before:
 * `inbox.service.ts`. Next: `store-reading.ts`.
 */

/** Reads an object. `told` is the event's copy of it. Only its ids are used. */
type Read<Found> = (stripe: Stripe, id: string, readAt: string, told: unknown) => Promise<Found>;
/** Returns null if there is nothing to store yet, or nothing of ours. */
type ReadEvent = Read<StripeReading | null>;

const ofMoney =
  (read: Read<MoneyReading | Foreign>): ReadEvent =>
  async (...named) => {
    const reading = await read(...named);
    return reading === 'foreign' ? null : { kind: 'money', ...reading };
  };

/** A subscription of another product may have been ours earlier. */
export const toReading = (
  subscription: SubscriptionSnapshot | Foreign,
  stripeSubscriptionId: string,
  readAt: string,
): StripeReading =>
  subscription === 'foreign'
    ? { kind: 'moved', stripeSubscriptionId, readAt }
    : { kind: 'money', subscription };

const ofSubscription: ReadEvent = async (stripe, id, readAt) =>
  toReading(await readSubscription(stripe, id, readAt), id, readAt);

/** Somebody may have changed the customer's email. */
const ofCustomer: ReadEvent = async (stripe, id, readAt) => {
  const subscriptions = await readSubscriptionsOf(stripe, id, readAt);
  return subscriptions.length === 0 ? null : { kind: 'customer', subscriptions };
};
const ofInvoice = ofMoney(readInvoice);
const ofRefund = ofMoney(readRefund);
const ofDispute = ofMoney(readDispute);

const ofCheckout =
  (isLost: (checkout: Exclude<CheckoutReading, { state: 'complete' }>) => boolean): ReadEvent =>
  async (stripe, id, readAt) => {
    const checkout = await readCheckout(stripe, id, readAt);
    if (checkout === 'foreign') return null;
    if (checkout.state === 'complete') return { kind: 'checkout', checkout };
    return isLost(checkout) ? { kind: 'lost-checkout', checkout } : null;
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
  'customer.subscription.paused': ofSubscription,
  'customer.subscription.resumed': ofSubscription,
  'customer.subscription.trial_will_end': ofSubscription,
  'invoice.finalized': ofInvoice,
  'invoice.paid': ofInvoice,
  'invoice.payment_failed': ofInvoice,
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
