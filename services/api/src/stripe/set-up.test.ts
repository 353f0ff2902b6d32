import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { listPricePence } from '@site/schema/offer';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { asksForTerms, storeTermsRefused } from './terms.ts';
import { readPortal, planSetUp } from './set-up.ts';
import { createStripe } from './stripe.client.ts';

// @module-tag long

const test = base.extend('stripe', ({ sandbox }) =>
  createStripe({ secretKey: sandbox.credentials.stripeSecretKey, apiUrl: sandbox.url }),
);

type Ended = { code: number; output: string };
const API = fileURLToPath(new URL('../..', import.meta.url));

function runSetUp(env: Record<string, string>, ...flags: string[]): Promise<Ended> {
  const args = ['dist/commands/stripe-setup.js', ...flags];
  return new Promise((resolve) => {
    // Only these settings: the command must not need a database.
    execFile(process.execPath, args, { cwd: API, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

describe('setting up the catalogue', () => {
  test('set-up creates product, prices and coupons, once', async ({ stripe }) => {
    for (const change of await planSetUp(stripe, 'launch')) await change.apply();

    expect(await planSetUp(stripe, 'launch')).toEqual([]);
    const { data } = await stripe.prices.list({ limit: 100 });
    const prices = data.map((price) => [
      price.lookup_key,
      price.unit_amount,
      price.recurring?.interval,
    ]);
    expect(prices.toReversed()).toEqual([
      ['launch_monthly', listPricePence('launch', 'monthly'), 'month'],
      ['launch_annual', listPricePence('launch', 'annual'), 'year'],
      ['standard_monthly', listPricePence('standard', 'monthly'), 'month'],
      ['standard_annual', listPricePence('standard', 'annual'), 'year'],
    ]);
    expect(await stripe.coupons.retrieve('annual25')).toMatchObject({
      percent_off: 25,
      duration: 'forever',
    });
  });

  test('set-up restores what was changed in the account, and only that', async ({ stripe }) => {
    for (const change of await planSetUp(stripe, 'launch')) await change.apply();
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

    const changes = await planSetUp(stripe, 'launch');
    for (const change of changes) await change.apply();

    expect(changes.map(({ description }) => description.split(':')[0])).toEqual([
      'update product paid_newsletter',
      'replace price launch_monthly',
      'replace price launch_annual',
      'replace coupon monthly15',
      'update customer portal',
    ]);
    expect(await planSetUp(stripe, 'launch')).toEqual([]);
    const { data } = await stripe.prices.list({ lookup_keys: ['launch_monthly'], active: true });
    expect(data).toMatchObject([{ unit_amount: listPricePence('launch', 'monthly') }]);
  });
});

describe('the customer portal', () => {
  const portalOf = async (stripe: ReturnType<typeof createStripe>) => (await readPortal(stripe))!;

  test('the customer portal lets subscribers cancel and switch to the annual price', async ({
    stripe,
  }) => {
    for (const change of await planSetUp(stripe, 'launch')) await change.apply();
    const portal = await portalOf(stripe);
    const { data } = await stripe.prices.list({ lookup_keys: ['launch_monthly', 'launch_annual'] });

    expect(portal).toMatchObject({
      login_page: { enabled: true, url: expect.stringContaining('/p/login') },
      features: {
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        subscription_update: { enabled: true, trial_update_behavior: 'continue_trial' },
      },
    });
    const [offered] = portal.features.subscription_update.products ?? [];
    expect(offered?.prices.toSorted()).toEqual(data.map(({ id }) => id).toSorted());
    const toStandard = await planSetUp(stripe, 'standard');
    expect(toStandard.map(({ description }) => description.split(':')[0])).toEqual([
      'update customer portal',
    ]);
  });

  test('the customer portal is corrected, and another portal is left alone', async ({ stripe }) => {
    const other = await stripe.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true } },
    });
    for (const change of await planSetUp(stripe, 'launch')) await change.apply();
    const { id } = await portalOf(stripe);
    await stripe.billingPortal.configurations.update(id, {
      features: { subscription_cancel: { enabled: true, mode: 'immediately' } },
    });

    for (const change of await planSetUp(stripe, 'launch')) await change.apply();

    expect(await planSetUp(stripe, 'launch')).toEqual([]);
    expect(await portalOf(stripe)).toMatchObject({
      id,
      features: {
        subscription_cancel: { mode: 'at_period_end' },
        subscription_update: { enabled: true },
      },
    });
    const { data } = await stripe.billingPortal.configurations.list();
    expect(data.map((each) => each.id).toSorted()).toEqual([other.id, id].toSorted());
  });
});

describe('the stripe-setup command', () => {
  test('stripe-setup lets checkouts ask for acceptance of the terms again', async ({
    db,
    databaseUrl,
    sandbox,
  }) => {
    await storeTermsRefused(db);
    const before = await asksForTerms(db);

    const { code, output } = await runSetUp({
      SANDBOX_PORT: String(sandbox.port),
      DATABASE_URL: databaseUrl,
      TERMS_URL: 'https://site.example/terms',
    });

    expect([code, output]).toEqual([0, expect.stringContaining('ask for acceptance')]);
    expect([before, await asksForTerms(db)]).toEqual([false, true]);
  });

  test('stripe-setup prints with --dry-run and applies without it', async ({ sandbox, stripe }) => {
    const env = { SANDBOX_PORT: String(sandbox.port) };

    const dry = await runSetUp(env, '--dry-run');
    const untouched = (await stripe.prices.list()).data;
    const first = await runSetUp(env);
    const second = await runSetUp({ ...env, STRIPE_PORTAL_LOGIN_URL: `${sandbox.url}/p/login` });

    expect(dry.output).toContain('would create price launch_monthly: £239 a month');
    expect(untouched).toEqual([]);
    expect(first).toMatchObject({
      code: 0,
      output: expect.stringContaining('create coupon annual25'),
    });
    expect(first.output).toContain(`STRIPE_PORTAL_LOGIN_URL=${sandbox.url}/p/login`);
    expect(second).toEqual({ code: 0, output: 'Stripe: nothing to do.\n' });
  });

  test.for<[string, Record<string, string>, string[], string]>([
    [
      'a live key without --live',
      { STRIPE_SECRET_KEY: 'rk_live_1' },
      [],
      'STRIPE_SECRET_KEY is a live key. Add --live to change the real account.\n',
    ],
    [
      'an unreachable Stripe',
      { SANDBOX_PORT: '1' },
      [],
      'Stripe cannot be reached (http://127.0.0.1:1).\n',
    ],
    ['production without a key', { NODE_ENV: 'production' }, [], 'STRIPE_SECRET_KEY is missing.\n'],
    [
      'production at the sandbox',
      { NODE_ENV: 'production', STRIPE_SECRET_KEY: 'sk_test_sandbox' },
      [],
      'Production refuses the sandbox and its default secrets.\n',
    ],
  ])('stripe-setup stops with one sentence at %s', async ([, env, flags, sentence]) => {
    expect(await runSetUp(env, ...flags)).toEqual({ code: 1, output: sentence });
  });
});
