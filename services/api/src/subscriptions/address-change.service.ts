import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { tidyEmail } from '@site/schema/email';
import type Stripe from 'stripe';
import { problem } from '../http/problem.ts';
import { isMissingAtStripe, isStripeError, isStripeRefusal } from '../stripe/stripe-failure.ts';
import { hasOtherLive, readAddresses, storeCorrectedPayer, storeDelivery } from './address-change.repository.ts';
import type { AddressedSubscription } from './address-change.repository.ts';
import { lockAddresses, lockSubscription, notePayerMismatch } from './subscription.repository.ts';
import { settleOwners } from './subscription.service.ts';

/*
 * Changes a subscription's addresses. It has a payer, whom Stripe bills, and a delivery address, which gets the paid
 * issue and so the tier. They are the same unless an operator says otherwise. Before: `correctLead` and
 * `subscription-address.service.ts` of the console. Next: the workers, for tiers and `unsubscribe_requests`.
 */

type ChangeDeps = { log: Logger };

/** Locks what a change of addresses touches. Call it before touching any row. */
export async function lockForChange(
  trx: Database,
  subscriptions: Pick<AddressedSubscription, 'stripeSubscriptionId' | 'email' | 'deliveryEmail'>[],
  emails: string[],
): Promise<void> {
  for (const { stripeSubscriptionId } of subscriptions) await lockSubscription(trx, stripeSubscriptionId);
  const theirs = subscriptions.flatMap(({ email, deliveryEmail }) => [email, deliveryEmail]);
  await lockAddresses(trx, [...theirs, ...emails]);
}

/**
 * Corrects a payer's mistyped address here: the tier moves, and the mistyped address is free again. `leadId` is the
 * lead with the correct address. Needs `lockForChange`. Throws 409 if that address has another live subscription.
 */
export async function correctPayer(
  deps: ChangeDeps,
  trx: Database,
  subscription: AddressedSubscription,
  { email, leadId }: { email: string; leadId: string },
): Promise<void> {
  await refuseSecond(trx, subscription, email);
  const { stripeSubscriptionId, email: mistyped, deliveryEmail } = subscription;
  await storeCorrectedPayer(trx, { stripeSubscriptionId, email: tidyEmail(email), leadId });
  await notePayerMismatch(trx, stripeSubscriptionId);
  await settleOwners(deps, trx, await lockAddresses(trx, [mistyped, deliveryEmail, email]));
}

/** Changes who gets the paid issue, and leaves the payer alone. Needs `lockForChange`. Throws 409 as `correctPayer` does. */
export async function changeDelivery(
  deps: ChangeDeps,
  trx: Database,
  subscription: AddressedSubscription,
  email: string,
): Promise<void> {
  await refuseSecond(trx, subscription, email);
  await storeDelivery(trx, subscription.stripeSubscriptionId, tidyEmail(email));
  await settleOwners(deps, trx, await lockAddresses(trx, [subscription.email, subscription.deliveryEmail, email]));
}

/** Throws 409 if the subscription is live and the address has another live one. */
export async function refuseSecond(
  trx: Database,
  { stripeSubscriptionId, isLive }: AddressedSubscription,
  email: string,
): Promise<void> {
  if (!isLive || !(await hasOtherLive(trx, email, stripeSubscriptionId))) return;
  throw problem('already-subscribed', { detail: 'That address has another live subscription.' });
}

/** Reads a subscription's addresses. Throws 404 if there is none, or if the person was erased. */
export async function findAddresses(db: Database, stripeSubscriptionId: string): Promise<AddressedSubscription> {
  const found = await readAddresses(db, stripeSubscriptionId);
  if (!found) throw problem('not-found', { detail: 'There is no subscription with this id.' });
  return found;
}

/**
 * Changes a customer's address at Stripe, which sends its receipts there. A customer deleted at Stripe needs nothing.
 * Throws 422 if Stripe refuses the address, and 503 if it is unreachable.
 */
export async function updateCustomerEmail(stripe: Stripe, customerId: string, email: string): Promise<void> {
  try {
    await stripe.customers.update(customerId, { email });
  } catch (error) {
    if (isMissingAtStripe(error)) return;
    if (!isStripeError(error)) throw error;
    if (isStripeRefusal(error) && error.param === 'email') {
      const message = 'Stripe does not accept this address';
      throw problem('fields-invalid', { detail: `email: ${message}.`, errors: [{ field: 'email', message }] });
    }
    const detail = 'Stripe did not change the customer’s address. Nothing was changed here.';
    throw problem('stripe-unavailable', { detail, retryAfterSeconds: 5 }, { cause: error });
  }
}
