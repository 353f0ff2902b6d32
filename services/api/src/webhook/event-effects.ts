import type { Database } from '@site/platform/database/connect';
import type Stripe from 'stripe';
import { readCheckout } from '../stripe/checkout-reading.ts';
import type { CheckoutReading, CompleteCheckout } from '../stripe/checkout-reading.ts';
import { readCharge, readDispute, readInvoice, readRefund } from '../stripe/invoice-reading.ts';
import type { MoneyReading } from '../stripe/invoice-reading.ts';
import { isStripeRefusal } from '../stripe/stripe-failure.ts';
import { readSubscription, readSubscriptionsOf } from '../stripe/subscription-reading.ts';
import type { Foreign } from '../stripe/subscription-reading.ts';
import { deleteOpenCheckout, listOpenCheckouts } from '../checkout/checkout.repository.ts';
import { findPayer } from '../payers/payer-lead.repository.ts';
import {
  applyCheckout,
  applyDeletedSubscription,
  applyAbandonedCheckout,
  applyMoney,
} from './store-reading.ts';
import type { CaptureDeps } from '../leads/lead.service.ts';
import type { RecordOnce } from './store-reading.ts';

/*
 * The effect of each event. It names an object, which is read from Stripe as it is now and stored,
 * so no event depends on an earlier one. `docs/stripe-setup.md` lists them.
 */

/**
 * Returns the effect, or null if there is nothing to apply yet. An effect that does not call
 * `recordOnce` found nothing of ours.
 */
export type Effect = ((deps: CaptureDeps, recordOnce: RecordOnce) => Promise<void>) | null;
/** `told` is the event's copy of the object. Only its ids are used. */
type ReadEffect = (
  stripe: Stripe,
  objectId: string,
  readAt: string,
  told: unknown,
) => Promise<Effect>;

const ofMoney =
  (
    read: (
      stripe: Stripe,
      id: string,
      readAt: string,
      told: unknown,
    ) => Promise<MoneyReading | Foreign>,
  ): ReadEffect =>
  async (stripe, objectId, readAt, told) => {
    const reading = await read(stripe, objectId, readAt, told);
    return reading === 'foreign'
      ? null
      : (deps, recordOnce) => applyMoney(deps, reading, recordOnce);
  };

const ofSubscription: ReadEffect = async (stripe, id, readAt) => {
  const subscription = await readSubscription(stripe, id, readAt);
  // It may have been ours earlier.
  if (subscription === 'foreign') {
    return (deps, recordOnce) =>
      applyDeletedSubscription(deps, { stripeSubscriptionId: id, readAt }, recordOnce);
  }
  return (deps, recordOnce) => applyMoney(deps, { subscription }, recordOnce);
};
/** Somebody may have changed the customer's email. */
const ofCustomer: ReadEffect = async (stripe, id, readAt) => {
  const [first, ...others] = await readSubscriptionsOf(stripe, id, readAt);
  if (!first) return null;
  return async (deps, recordOnce) => {
    await applyMoney(deps, { subscription: first }, recordOnce);
    for (const subscription of others) await applyMoney(deps, { subscription });
  };
};
const ofInvoice = ofMoney(readInvoice);
const ofRefund = ofMoney(readRefund);
const ofDispute = ofMoney(readDispute);

const ofCheckout =
  (isLost: (checkout: Exclude<CheckoutReading, { state: 'complete' }>) => boolean): ReadEffect =>
  async (stripe, objectId, readAt) => {
    const checkout = await readCheckout(stripe, objectId, readAt);
    if (checkout === 'foreign') return null;
    if (checkout.state === 'complete') {
      return async (deps, recordOnce) => {
        // Expire them first: the event is not delivered again once it is recorded.
        await expireOtherCheckouts({ db: deps.db, stripe }, checkout);
        await applyCheckout(deps, checkout, recordOnce);
      };
    }
    return isLost(checkout)
      ? (deps, recordOnce) => applyAbandonedCheckout(deps, checkout, recordOnce)
      : null;
  };
/**
 * Expires the other open checkouts of an email that has just paid: each could start a second
 * subscription with a second trial. Throws if Stripe is unreachable.
 */
async function expireOtherCheckouts(
  { db, stripe }: { db: Database; stripe: Stripe },
  { id, createdAt: startedAt, ...checkout }: CompleteCheckout,
): Promise<void> {
  const { email } = await findPayer(db, { ...checkout, startedAt });
  if (email === null) return;
  for (const other of await listOpenCheckouts(db, email)) {
    if (other === id) continue;
    try {
      // An event follows, which stores the checkout's end.
      await stripe.checkout.sessions.expire(other);
    } catch (error) {
      if (!isStripeRefusal(error)) throw error;
      // Stripe has ended it already.
      await deleteOpenCheckout(db, other);
    }
  }
}

const isExpired = ({ state }: CheckoutReading) => state === 'expired';

const EFFECTS: Record<string, ReadEffect> = {
  // Complete but unpaid: a slow payment method. A later event tells whether the money arrived.
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

/** The events we act on. At most twenty, the maximum that Stripe filters by. Any other event is ignored. */
export const STRIPE_EVENT_TYPES: readonly string[] = Object.keys(EFFECTS);

/** Returns how an event of this type is read, or undefined if we do not act on it. */
export function effectOf(eventType: string): ReadEffect | undefined {
  return Object.hasOwn(EFFECTS, eventType) ? EFFECTS[eventType] : undefined;
}
