import { test as base } from '@site/testing/fixtures';
import { listPricePence } from '@site/schema/offer';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { planSetUp } from './set-up.ts';
import { createStripe } from './stripe.client.ts';

const test = base.extend('stripe', ({ sandbox }) =>
  createStripe({ secretKey: sandbox.credentials.stripeSecretKey, apiUrl: sandbox.url }),
);

type Ended = { code: number; output: string };
const API = fileURLToPath(new URL('../..', import.meta.url));

function runSetUp(env: Record<string, string>, ...flags: string[]): Promise<Ended> {
  const args = ['--conditions=development', '--import', 'tsx', 'src/commands/stripe-setup.ts', ...flags];
  return new Promise((resolve) => {
    // Only these settings: the command must not need a database.
    execFile(process.execPath, args, { cwd: API, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

describe('planSetUp', () => {
  test('creates the product, the prices of both phases and the coupons, and then has nothing to do', async ({
    stripe,
  }) => {
    for (const change of await planSetUp(stripe)) await change.apply();

    expect(await planSetUp(stripe)).toEqual([]);
    const { data } = await stripe.prices.list({ limit: 100 });
    const prices = data.map((price) => [price.lookup_key, price.unit_amount, price.recurring?.interval]);
    expect(prices.toReversed()).toEqual([
      ['launch_monthly', listPricePence('launch', 'monthly'), 'month'],
      ['launch_annual', listPricePence('launch', 'annual'), 'year'],
      ['standard_monthly', listPricePence('standard', 'monthly'), 'month'],
      ['standard_annual', listPricePence('standard', 'annual'), 'year'],
    ]);
    expect(await stripe.coupons.retrieve('annual25')).toMatchObject({ percent_off: 25, duration: 'forever' });
  });

  test('restores what was changed in the account, and only that', async ({ stripe }) => {
    for (const change of await planSetUp(stripe)) await change.apply();
    await stripe.prices.create({
      product: 'paid_newsletter',
      currency: 'gbp',
      unit_amount: 1,
      recurring: { interval: 'month' },
      lookup_key: 'launch_monthly',
      transfer_lookup_key: true,
    });
    const [annual] = (await stripe.prices.list({ lookup_keys: ['launch_annual'] })).data;
    await stripe.prices.update(annual!.id, { active: false });
    await stripe.coupons.del('monthly15');
    await stripe.coupons.create({ id: 'monthly15', percent_off: 50, duration: 'once' });
    await stripe.products.update('paid_newsletter', { name: 'Old name' });

    const changes = await planSetUp(stripe);
    for (const change of changes) await change.apply();

    expect(changes.map(({ description }) => description.split(':')[0])).toEqual([
      'update product paid_newsletter',
      'replace price launch_monthly',
      'replace price launch_annual',
      'replace coupon monthly15',
    ]);
    expect(await planSetUp(stripe)).toEqual([]);
    const { data } = await stripe.prices.list({ lookup_keys: ['launch_monthly'], active: true });
    expect(data).toMatchObject([{ unit_amount: listPricePence('launch', 'monthly') }]);
  });
});

describe('the stripe-setup command', () => {
  test('prints with --dry-run, applies without it, and has nothing to do the second time', async ({
    sandbox,
    stripe,
  }) => {
    const env = { SANDBOX_PORT: String(sandbox.port) };

    const dry = await runSetUp(env, '--dry-run');
    const untouched = (await stripe.prices.list()).data;
    const first = await runSetUp(env);
    const second = await runSetUp(env);

    expect(dry.output).toContain('would create price launch_monthly: £239 a month');
    expect(untouched).toEqual([]);
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('create coupon annual25') });
    expect(second).toEqual({ code: 0, output: 'Stripe: nothing to do.\n' });
  });

  test.for<[string, Record<string, string>, string[], string]>([
    [
      'a live key without --live',
      { STRIPE_SECRET_KEY: 'rk_live_1' },
      [],
      'STRIPE_SECRET_KEY is a live key. Add --live to change the real account.\n',
    ],
    ['an unreachable Stripe', { SANDBOX_PORT: '1' }, [], 'Stripe cannot be reached at http://127.0.0.1:1.\n'],
    ['production without a key', { NODE_ENV: 'production' }, [], 'STRIPE_SECRET_KEY is missing.\n'],
    [
      'production at the sandbox',
      { NODE_ENV: 'production', STRIPE_SECRET_KEY: 'sk_test_sandbox' },
      [],
      'Production refuses the sandbox and its default secrets.\n',
    ],
  ])('stops with one sentence at %s', async ([, env, flags, sentence]) => {
    expect(await runSetUp(env, ...flags)).toEqual({ code: 1, output: sentence });
  });

  test('names a key that Stripe refuses', async ({ sandbox }) => {
    const ended = await runSetUp({ STRIPE_API_URL: sandbox.url, STRIPE_SECRET_KEY: 'sk_test_wrong' });

    expect(ended).toEqual({ code: 1, output: `Stripe at ${sandbox.url} refuses the key in STRIPE_SECRET_KEY.\n` });
  });

  test('names an unknown flag', async () => {
    const ended = await runSetUp({}, '--dryrun');

    expect(ended.code).toBe(2);
    expect(ended.output).toContain("Unknown option '--dryrun'");
  });
});
