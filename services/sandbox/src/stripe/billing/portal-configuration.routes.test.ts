import { expect, test } from 'vitest';
import { buildCatalog, startSandbox, stripeClient } from '../../testing/fixtures.ts';

test('a portal offers no two prices of a product with the same interval', async () => {
  const stripe = stripeClient(await startSandbox());
  const { price, product } = await buildCatalog(stripe);
  const other = await stripe.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 1,
    recurring: { interval: 'month' },
  });
  const offer = (prices: string[]) =>
    stripe.billingPortal.configurations.create({
      features: {
        subscription_update: { enabled: true, products: [{ product: product.id, prices }] },
      },
      login_page: { enabled: true },
    });

  await expect(offer([price.id, other.id])).rejects.toMatchObject({ statusCode: 400 });
  await expect(offer(['price_gone'])).rejects.toMatchObject({ code: 'resource_missing' });
  const made = await offer([price.id]);
  const { data } = await stripe.billingPortal.configurations.list({
    expand: ['data.features.subscription_update.products'],
  });

  expect(made.features.subscription_update.products).toBeUndefined();
  expect(data[0]?.features.subscription_update.products).toEqual([
    { product: product.id, prices: [price.id] },
  ]);
  const off = await stripe.billingPortal.configurations.update(made.id, {
    active: false,
    login_page: { enabled: false },
  });
  expect([off.active, off.login_page.url, off.features.subscription_update.enabled]).toEqual([
    false,
    null,
    true,
  ]);
});
