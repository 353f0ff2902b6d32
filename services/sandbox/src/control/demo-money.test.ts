// @module-tag long
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import Stripe from 'stripe';
import { expect } from 'vitest';
// @ts-expect-error -- a plain script, which has no types
import { liveThroughYear } from '../../../../scripts/tasks/demo-money.mjs';
import { test } from '../testing/sandbox.fixture.ts';

const DAY_MS = 86_400_000;

test('the demo leaves a year of money and the clock where it was, and may run twice', async ({
  sandbox,
}) => {
  const { hostname, port } = new URL(sandbox.url);
  const secretKey = SANDBOX_CREDENTIALS.stripeSecretKey;
  const stripe = new Stripe(secretKey, { host: hostname, port, protocol: 'http' });
  for (const [key, interval] of [
    ['launch_monthly', 'month'],
    ['launch_annual', 'year'],
  ] as const) {
    const product_data = { name: 'Ledger' };
    const recurring = { interval };
    await stripe.prices.create({
      currency: 'gbp',
      unit_amount: 23_900,
      lookup_key: key,
      recurring,
      product_data,
    });
  }
  for (const [id, percent_off] of [
    ['monthly15', 15],
    ['annual25', 25],
  ] as const) {
    await stripe.coupons.create({ id, percent_off, duration: 'forever' });
  }
  const offset = () => sandbox.stripe.now().getTime() - Date.now();
  const leads = Array.from({ length: 14 }, (_, n) => ({
    id: `lead-${n}`,
    email: `p${n}@demo.example`,
    fullName: 'P',
  }));
  const drawn: number[] = [];
  const run = () =>
    liveThroughYear({
      sandboxUrl: sandbox.url,
      secretKey,
      leads,
      draw: (n: number) => drawn.push(n),
    });
  const before = offset();

  await run();
  const [moved, subscriptions] = [offset() - before, sandbox.stripe.subscriptions.snapshot()];
  await run();

  expect(Math.abs(moved)).toBeLessThan(10_000);
  expect(Math.abs(offset() - before)).toBeLessThan(20_000);
  expect(drawn).toHaveLength(28);
  expect(subscriptions).toHaveLength(11);
  const statuses = subscriptions.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(['active', 'trialing', 'past_due', 'canceled']));
  const first = Math.min(...subscriptions.map(({ created }) => created));
  expect(Date.now() - first * 1_000).toBeGreaterThan(350 * DAY_MS);
  expect(sandbox.stripe.disputes.snapshot().length).toBeGreaterThan(0);
  expect(sandbox.stripe.refunds.snapshot()).toHaveLength(2);
  const sessions = sandbox.stripe.checkouts.snapshot().map(({ session }) => session.status);
  expect(sessions.filter((status) => status === 'expired').length).toBeGreaterThanOrEqual(4);
});
