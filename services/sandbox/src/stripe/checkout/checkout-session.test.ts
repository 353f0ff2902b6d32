// @module-tag long
import { describe, expect, test } from 'vitest';
import {
  buildCatalog,
  buildSessionParams,
  startSandbox,
  stripeClient,
} from '../../testing/fixtures.ts';

async function openShop(options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox(options);
  const stripe = stripeClient(sandbox);
  const catalog = await buildCatalog(stripe);
  return { sandbox, stripe, ...catalog, params: buildSessionParams(catalog.price.id) };
}

describe('opening a checkout', () => {
  const refusals: [string, Record<string, unknown>, string][] = [
    [
      'payment_method_types, which this version no longer takes',
      { payment_method_types: ['card'] },
      'payment_method_types',
    ],
    [
      'a discount and promotion codes',
      { discounts: [{ coupon: 'monthly15' }], allow_promotion_codes: false },
      'allow_promotion_codes',
    ],
    [
      'two discounts',
      { discounts: [{ coupon: 'monthly15' }, { coupon: 'monthly15' }] },
      'discounts',
    ],
    ['no success URL', { success_url: undefined }, 'success_url'],
    ['a success URL without a scheme', { success_url: '/thank-you' }, 'success_url'],
    [
      'a trial of no days',
      { subscription_data: { trial_period_days: 0 } },
      'subscription_data[trial_period_days]',
    ],
    [
      'an unknown price',
      { line_items: [{ price: 'price_gone', quantity: 1 }] },
      'line_items[0][price]',
    ],
    ['an unknown coupon', { discounts: [{ coupon: 'gone' }] }, 'discounts[0][coupon]'],
    [
      'a reference that is too long',
      { client_reference_id: 'x'.repeat(201) },
      'client_reference_id',
    ],
    ['an invalid email address', { customer_email: 'ada@' }, 'customer_email'],
  ];
  test.each(refusals)('a checkout with %s is refused', async (_name, extra, param) => {
    const { sandbox, stripe, params } = await openShop();
    const wrong = { ...params, ...extra };

    await expect(stripe.checkout.sessions.create(wrong)).rejects.toMatchObject({
      statusCode: 400,
      param,
    });
    expect(sandbox.stripe.checkouts.snapshot()).toEqual([]);
  });

  test('a checkout with an inactive price is refused', async () => {
    const { stripe, price, params } = await openShop();
    await stripe.prices.update(price.id, { active: false });

    await expect(stripe.checkout.sessions.create(params)).rejects.toMatchObject({
      param: 'line_items[0][price]',
    });
  });
});
