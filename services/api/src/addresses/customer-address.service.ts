import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import type Stripe from 'stripe';
import { fieldProblem, problem } from '../http/problem.ts';
import {
  isStripeError,
  isStripeRefusal,
  orMissing,
  toLoggedStripeError,
} from '../stripe/stripe-failure.ts';

/*
 * The customers' addresses at Stripe, as last read (`subscriptions.customer_email`). What ends halfway is seen in the next
 * reading of the customer, and listed for an operator.
 */

export type CustomerDeps = { db: Database; stripe: Stripe; log: Logger };

/**
 * Changes the customers' address at Stripe, because it may refuse it, and runs `store`. Unless that returns true, Stripe
 * gets the stored address again. Throws 422 if Stripe refuses the address, and 503 if it is unreachable.
 */
export async function changeCustomers(
  deps: CustomerDeps,
  customerIds: string[],
  email: string,
  store: () => Promise<boolean>,
): Promise<boolean> {
  const changed: string[] = [];
  let isStored = false;
  try {
    for (const customerId of new Set(customerIds)) {
      changed.push(customerId);
      await updateCustomerEmail(deps.stripe, customerId, email);
    }
    isStored = await store();
    return isStored;
  } finally {
    if (!isStored) for (const customerId of changed) await giveStoredEmail(deps, customerId);
  }
}

/** Gives Stripe the stored address of a customer. A failure is logged. */
async function giveStoredEmail(
  { db, stripe, log }: CustomerDeps,
  stripeCustomerId: string,
): Promise<void> {
  try {
    const stored = db('subscriptions')
      .where({ stripeCustomerId })
      .orderByRaw('email_corrected_at desc nulls last');
    const { email } = await stored.first('email');
    // The person was erased.
    if (email === null) return;
    await orMissing(stripe.customers.update(stripeCustomerId, { email }));
    await noteCustomerEmail(db, stripeCustomerId, email);
    log.info({ stripeCustomerId }, 'customer at stripe has the stored address again');
  } catch (err) {
    log.warn(
      { ...toLoggedStripeError(err), stripeCustomerId },
      'customer at stripe may have another address',
    );
  }
}

/** Changes a customer's address at Stripe, which sends its receipts there. A customer deleted at Stripe needs nothing. */
export async function updateCustomerEmail(
  stripe: Stripe,
  customerId: string,
  email: string,
): Promise<void> {
  try {
    await orMissing(stripe.customers.update(customerId, { email }));
  } catch (error) {
    if (!isStripeError(error)) throw error;
    if (isStripeRefusal(error) && error.param === 'email') {
      throw fieldProblem('email', 'Stripe does not accept this address');
    }
    const detail = 'Stripe did not change the customer’s address. Nothing was changed here.';
    throw problem('stripe-unavailable', { detail, retryAfterSeconds: 5 }, { cause: error });
  }
}

export async function noteCustomerEmail(
  db: Database,
  stripeCustomerId: string,
  customerEmail: string,
): Promise<void> {
  await db('subscriptions')
    .where({ stripeCustomerId })
    .whereNotNull('email')
    .update({ customerEmail });
}
