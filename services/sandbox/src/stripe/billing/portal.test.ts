import axios from 'axios';
import { expect, test } from 'vitest';
import {
  buildCatalog,
  buildSessionParams,
  startSandbox,
  stripeClient,
} from '../../testing/fixtures.ts';

test('a subscriber cancels at period end and takes the cancellation back', async () => {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox);
  const { price } = await buildCatalog(stripe);
  const session = await stripe.checkout.sessions.create(buildSessionParams(price.id));
  sandbox.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
  const [subscription] = sandbox.stripe.subscriptions.snapshot();
  const press = async (action: string, email = 'ada@example.com') => {
    const form = new URLSearchParams({ email, subscription: String(subscription?.id), action });
    return (await axios.post<string>(`${sandbox.url}/p/login`, form)).data;
  };

  const stranger = await press('cancel', 'bob@example.com');
  const ending = await press('cancel');

  expect(stranger).toContain('No active subscription for this email address');
  expect(ending).toContain('Keep my subscription');
  expect(subscription?.cancel_at_period_end).toBe(true);
  await press('resume');
  expect(subscription?.cancel_at_period_end).toBe(false);
  expect(
    (await stripe.events.list({ types: ['customer.subscription.updated'] })).data,
  ).toHaveLength(2);
});

test('a subscriber switches from monthly to annual and keeps the trial', async () => {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox);
  const { price, product } = await buildCatalog(stripe);
  const annual = await stripe.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 286_800,
    recurring: { interval: 'year' },
  });
  const session = await stripe.checkout.sessions.create(buildSessionParams(price.id));
  sandbox.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
  const [subscription] = sandbox.stripe.subscriptions.snapshot();
  const open = async (fields = {}) => {
    const form = new URLSearchParams({ email: 'ada@example.com', ...fields });
    return (await axios.post<string>(`${sandbox.url}/p/login`, form)).data;
  };
  const press = { subscription: String(subscription?.id), action: 'switch', price: annual.id };

  const before = await open(press);
  await stripe.billingPortal.configurations.create({
    features: {
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: [{ product: product.id, prices: [price.id, annual.id] }],
      },
    },
  });
  const offered = await open();
  await open(press);

  expect(before).not.toContain('Switch to');
  expect(offered).toContain('£2,868');
  expect(subscription).toMatchObject({
    status: 'trialing',
    items: { data: [{ price: { id: annual.id } }] },
  });
});

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

test('the portal shows an email’s newest customer with an active subscription', async () => {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox);
  const { price } = await buildCatalog(stripe);
  for (let count = 3; count > 0; count -= 1) {
    const session = await stripe.checkout.sessions.create(buildSessionParams(price.id));
    sandbox.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
  }
  const [newest, second, first] = sandbox.stripe.subscriptions.newestFirst();
  await stripe.subscriptions.cancel(String(newest?.id));

  const { data } = await axios.post<string>(
    `${sandbox.url}/p/login`,
    new URLSearchParams({ email: 'ada@example.com' }),
  );

  expect(data).toContain(second?.id);
  expect(data).not.toContain(first?.id);
  expect(data).not.toContain(newest?.id);
});
