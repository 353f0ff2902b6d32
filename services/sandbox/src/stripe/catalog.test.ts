// @module-tag long
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { startSandbox, stripeClient } from '../testing/fixtures.ts';

describe('products and coupons', () => {
  test('a product is changed, and its metadata merged key by key', async () => {
    const stripe = stripeClient(await startSandbox());
    const product = await stripe.products.create({ name: 'Ledger', metadata: { a: '1', b: '2' } });

    const changed = await stripe.products.update(product.id, {
      name: 'New',
      metadata: { b: '', c: '3' },
    });

    expect(changed).toMatchObject({ name: 'New', active: true, metadata: { a: '1', c: '3' } });
  });

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
});

test('the SDK pages through a list by cursor, newest first', async () => {
  const stripe = stripeClient(await startSandbox());
  const { id: product } = await stripe.products.create({ name: 'Ledger' });
  for (let pence = 1; pence <= 7; pence += 1) {
    await stripe.prices.create({ product, currency: 'gbp', unit_amount: pence });
  }

  const first = await stripe.prices.list({ limit: 3 });
  const all = await stripe.prices.list({ limit: 3 }).autoPagingToArray({ limit: 100 });
  const back = await stripe.prices.list({ limit: 2, ending_before: String(all[4]?.id) });

  expect(first).toMatchObject({ object: 'list', url: '/v1/prices', has_more: true });
  expect(all.map((price) => price.unit_amount)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(back.data.map((price) => price.unit_amount)).toEqual([5, 4]);
});
