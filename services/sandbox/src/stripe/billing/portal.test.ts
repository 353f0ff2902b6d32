import axios from 'axios';
import { expect, test } from 'vitest';
import { buildCatalog, buildSessionParams, startSandbox, stripeClient } from '../../testing/fixtures.ts';

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
  expect((await stripe.events.list({ type: 'customer.subscription.updated' })).data).toHaveLength(2);
});

test('of several customers with one address, the newest with an active subscription is shown', async () => {
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
