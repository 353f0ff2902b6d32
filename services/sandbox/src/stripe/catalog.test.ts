// @module-tag long
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { buildCatalog, startSandbox, stripeClient } from '../testing/fixtures.ts';

describe('prices', () => {
  test('a lookup key finds its price, with the product expanded', async () => {
    const stripe = stripeClient(await startSandbox());
    const { price, product } = await buildCatalog(stripe);

    const found = await stripe.prices.list({
      lookup_keys: ['launch_monthly'],
      active: true,
      expand: ['data.product'],
    });

    expect(found.data).toHaveLength(1);
    expect(found.data[0]).toMatchObject({
      id: price.id,
      unit_amount: 23_900,
      currency: 'gbp',
      recurring: { interval: 'month', interval_count: 1 },
      product: { id: product.id, name: 'Ledger <weekly>' },
    });
    expect(String(found.data[0]?.unit_amount_decimal)).toBe('23900');
  });

  test('a lookup key moves to another price only on request', async () => {
    const sandbox = await startSandbox();
    const stripe = stripeClient(sandbox);
    const { price, product } = await buildCatalog(stripe);
    const dearer = {
      product: product.id,
      currency: 'gbp',
      unit_amount: 29_900,
      recurring: { interval: 'month' as const },
      lookup_key: 'launch_monthly',
    };

    const refused: unknown = await stripe.prices.create(dearer).catch((error: unknown) => error);
    const moved = await stripe.prices.create({ ...dearer, transfer_lookup_key: true });

    expect(refused).toMatchObject({ type: 'StripeInvalidRequestError', param: 'lookup_key' });
    const keys = await stripe.prices.list({ lookup_keys: ['launch_monthly'] });
    expect(keys.data.map(({ id }) => id)).toEqual([moved.id]);
    expect(sandbox.stripe.prices.find(price.id)?.lookup_key).toBeNull();
  });

  test('a price is deactivated, and listed as such', async () => {
    const stripe = stripeClient(await startSandbox());
    const { price } = await buildCatalog(stripe);

    await stripe.prices.update(price.id, { active: false });

    expect((await stripe.prices.list({ active: true })).data).toEqual([]);
    expect((await stripe.prices.list({ active: false })).data).toMatchObject([{ id: price.id }]);
  });
});

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

  test('a coupon keeps its own id and cannot be created twice', async () => {
    const stripe = stripeClient(await startSandbox());
    await buildCatalog(stripe);

    const again: unknown = await stripe.coupons
      .create({ id: 'monthly15', percent_off: 10, duration: 'forever' })
      .catch((error: unknown) => error);
    const coupon = await stripe.coupons.retrieve('monthly15');
    const deleted = await stripe.coupons.del('monthly15');

    expect(again).toMatchObject({ code: 'resource_already_exists', statusCode: 400 });
    expect(coupon).toMatchObject({ percent_off: 15, duration: 'forever', valid: true });
    expect(deleted).toMatchObject({ id: 'monthly15', deleted: true });
    await expect(stripe.coupons.retrieve('monthly15')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
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
