import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import type Stripe from 'stripe';
import { problem } from '../http/problem.ts';
import { isStripeError, isStripeRefusal, orMissing, toLoggedStripeError } from '../stripe/stripe-failure.ts';
import { forgetCustomers, leaseCustomers, leaseDueCustomer, makeCustomersDue } from './customer-address.repository.ts';

/*
 * Keeps the addresses of Stripe's customers those that are stored. Before: an operator's correction, in
 * `lead-correction.service.ts`, and `stripe-watch.ts`, which finishes what a process left behind.
 */

export type CustomerDeps = { db: Database; stripe: Stripe; newId: () => string; log: Logger };

/**
 * Changes the customers' address at Stripe, and runs `store`, whose transaction calls `confirm` and so decides what
 * holds. Unless it returns true, Stripe gets the stored address again. Throws 409 while the address of one is being
 * corrected, 422 if Stripe refuses the address, and 503 if it is unreachable.
 */
export async function changeCustomers(
  { db, stripe, newId }: CustomerDeps,
  customerIds: string[],
  email: string,
  store: (confirm: (trx: Database) => Promise<void>) => Promise<boolean>,
): Promise<boolean> {
  const customers = [...new Set(customerIds)];
  const leasedBy = newId();
  await db.transaction(async (trx) => {
    if ((await leaseCustomers(trx, customers, leasedBy)) < customers.length) throw underWay();
  });
  let isStored = false;
  try {
    for (const customerId of customers) await updateCustomerEmail(stripe, customerId, email);
    isStored = await store(async (trx) => {
      if ((await forgetCustomers(trx, leasedBy)) < customers.length) throw underWay();
    });
    return isStored;
  } finally {
    if (!isStored) await makeCustomersDue(db, customers, leasedBy);
  }
}

const underWay = () =>
  problem('already-corrected', { detail: 'Another correction of this address is under way. Try again in a minute.' });

/**
 * Gives Stripe the stored address of each customer whose correction ended without its transaction. One that fails is
 * tried again after a minute.
 */
export async function settleCustomers({ db, stripe, newId, log }: CustomerDeps): Promise<void> {
  for (;;) {
    const leasedBy = newId();
    const due = await leaseDueCustomer(db, leasedBy);
    if (!due) return;
    const { stripeCustomerId, email } = due;
    try {
      if (email !== null) await orMissing(stripe.customers.update(stripeCustomerId, { email }));
      await forgetCustomers(db, leasedBy);
      log.info({ stripeCustomerId }, 'customer at stripe has the stored address again');
    } catch (err) {
      log.warn({ ...toLoggedStripeError(err), stripeCustomerId }, 'customer at stripe may have another address');
    }
  }
}

/** Changes a customer's address at Stripe, which sends its receipts there. A customer deleted at Stripe needs nothing. */
async function updateCustomerEmail(stripe: Stripe, customerId: string, email: string): Promise<void> {
  try {
    await orMissing(stripe.customers.update(customerId, { email }));
  } catch (error) {
    if (!isStripeError(error)) throw error;
    if (isStripeRefusal(error) && error.param === 'email') {
      const message = 'Stripe does not accept this address';
      throw problem('fields-invalid', { detail: `email: ${message}.`, errors: [{ field: 'email', message }] });
    }
    const detail = 'Stripe did not change the customer’s address. Nothing was changed here.';
    throw problem('stripe-unavailable', { detail, retryAfterSeconds: 5 }, { cause: error });
  }
}
