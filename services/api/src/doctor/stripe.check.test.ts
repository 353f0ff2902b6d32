// @module-tag long
import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { systemClock } from '@site/platform/process/clock';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Database } from '@site/platform/database/connect';
import Stripe from 'stripe';
import { describe, expect, onTestFinished } from 'vitest';
import { planSetUp } from '../stripe/set-up.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { unreachableDatabase } from '../testing/shop.fixture.ts';
import { STRIPE_EVENT_TYPES } from '../billing/reading/event-reading.ts';
import { examineStripe, examineWebhook } from './stripe.check.ts';

type StripeClient = ReturnType<typeof createStripe>;

const PUBLIC_URL = 'https://ledger.example';

const test = base.extend('stripe', async ({ sandbox }) => {
  const stripe = createStripe({
    secretKey: sandbox.credentials.stripeSecretKey,
    apiUrl: sandbox.url,
  });
  for (const change of await planSetUp(stripe, 'launch')) await change.apply();
  sandbox.setWebhookUrl(`${PUBLIC_URL}/api/stripe/webhook`);
  return stripe;
});

const SETTINGS = {
  publicUrl: PUBLIC_URL,
  site: { offerPhase: 'launch' as const },
  stripe: { secretKey: 'sk_test_x', apiUrl: 'http://127.0.0.1:1', webhookSecret: 'whsec_x' },
};

async function examine(stripe: StripeClient, check: string, db: Database = unreachableDatabase()) {
  const findings = await examineStripe(stripe, SETTINGS, systemClock, db);
  return findings
    .filter((finding) => finding.check === check)
    .map(({ level, message }) => `${level}: ${message}`);
}

describe('the doctor on Stripe', () => {
  test('the doctor accepts Stripe’s key, catalogue, webhook and clock', async ({ stripe, db }) => {
    const findings = await examineStripe(stripe, SETTINGS, systemClock, db);

    expect(findings.map(({ check, level }) => `${check}: ${level}`)).toEqual([
      'Stripe: ok',
      'Stripe permissions: ok',
      'Stripe catalogue: ok',
      'Stripe webhook: ok',
      'Stripe deliveries: ok',
      'clock: ok',
    ]);
  });

  test('the doctor names a key that Stripe refuses', async ({ sandbox, db }) => {
    const stripe = createStripe({ secretKey: 'sk_test_wrong', apiUrl: sandbox.url });

    const [finding, ...others] = await examineStripe(stripe, SETTINGS, systemClock, db);

    expect(finding).toMatchObject({
      level: 'error',
      remedy: expect.stringContaining('STRIPE_SECRET_KEY'),
    });
    expect(others).toEqual([]);
  });

  test.for([
    ['dispute_read', 'Disputes (rak_dispute_read)'],
    ['charge_read', 'Charges (rak_charge_read), Refunds (rak_charge_read)'],
    ['plan_read', 'Prices (rak_plan_read)'],
    ['coupon_read', 'Coupons (rak_coupon_read)'],
    ['event_read', 'Events (rak_event_read)'],
  ])(
    'the doctor names the reading that a key without %s may not do',
    async ([permission, named], { sandbox, db }) => {
      const secretKey = `rk_test_sandbox_without_${permission}`;
      const stripe = createStripe({ secretKey, apiUrl: sandbox.url });

      const findings = await examineStripe(stripe, SETTINGS, systemClock, db);

      expect(findings).toMatchObject([
        { level: 'error', message: `the key may not read ${named}` },
      ]);
    },
  );

  test('the doctor names prices and coupons that are missing or wrong', async ({
    stripe,
    sandbox,
  }) => {
    const price = sandbox.stripe.prices
      .newestFirst()
      .find((each) => each.lookup_key === 'launch_monthly');
    await stripe.prices.create({
      product: String(price?.product),
      currency: 'gbp',
      unit_amount: 1,
      recurring: { interval: 'month' },
      lookup_key: 'launch_monthly',
      transfer_lookup_key: true,
    });
    await stripe.coupons.del('annual25');

    expect(await examine(stripe, 'Stripe catalogue')).toEqual([
      expect.stringMatching(/^error: .*replace price launch_monthly/),
      expect.stringMatching(/^error: .*create coupon annual25/),
      expect.stringMatching(/^error: .*update customer portal/),
    ]);
  });
});

/** Starts a Stripe that only lists the test's webhook endpoints. */
async function accountWith(endpoint: object | null, status = 200): Promise<StripeClient> {
  const server = createServer((_req, res) => {
    const data = endpoint === null ? [] : [endpoint];
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(
      JSON.stringify(
        status === 200 ? { object: 'list', data, has_more: false } : { error: { message: 'no' } },
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return createStripe({
    secretKey: 'sk_test_x',
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
}

describe('the doctor on the webhook', () => {
  const endpoint = {
    object: 'webhook_endpoint',
    url: `${PUBLIC_URL}/api/stripe/webhook`,
    status: 'enabled',
    enabled_events: [...STRIPE_EVENT_TYPES],
    api_version: Stripe.API_VERSION,
  };
  const examineAccount = async (given: object | null, status?: number) => {
    const { level, message } = await examineWebhook(await accountWith(given, status), PUBLIC_URL);
    return `${level}: ${message}`;
  };

  test('the doctor accepts a webhook that sends every event we use', async () => {
    expect(await examineAccount(endpoint)).toMatch(/^ok/);
    expect(await examineAccount({ ...endpoint, enabled_events: ['*'] })).toMatch(/^ok/);
  });

  test('the doctor names each failure of the webhook', async () => {
    expect(await examineAccount(null)).toMatch(/^error: .* does not exist$/);
    expect(await examineAccount({ ...endpoint, url: 'https://other.example/hook' })).toMatch(
      /^error: .* does not exist$/,
    );
    expect(await examineAccount({ ...endpoint, status: 'disabled' })).toMatch(
      /^error: .* is disabled$/,
    );
    expect(
      await examineAccount({ ...endpoint, enabled_events: STRIPE_EVENT_TYPES.slice(1) }),
    ).toContain(`does not send ${STRIPE_EVENT_TYPES[0]}`);
    expect(await examineAccount({ ...endpoint, api_version: '2020-01-01' })).toMatch(
      /^error: .*2020-01-01/,
    );
  });
});
