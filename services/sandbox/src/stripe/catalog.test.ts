// @module-tag long
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { startSandbox, stripeClient } from '../testing/fixtures.ts';

test.each([
  ['percent_off and amount_off together', { percent_off: 10, amount_off: 100, currency: 'gbp' }],
  ['neither percent_off nor amount_off', { duration: 'forever' as const }],
  ['an amount without a currency', { amount_off: 100 }],
])('a coupon with %s is refused', async (_name, params) => {
  const stripe = stripeClient(await startSandbox());

  await expect(stripe.coupons.create(params)).rejects.toBeInstanceOf(
    Stripe.errors.StripeInvalidRequestError,
  );
});
