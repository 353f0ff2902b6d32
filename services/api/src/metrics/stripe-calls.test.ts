import { test } from '@site/sandbox/testing/sandbox.fixture';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import { createStripe } from '../stripe/stripe.client.ts';
import { watchStripeCalls } from './stripe-calls.ts';

const MINUTE_MS = 60_000;

/** Watches the calls of a client, on a clock that the test moves. */
function watch(stripe: ReturnType<typeof createStripe>) {
  let nowMs = 0;
  const findFailures = watchStripeCalls(stripe, () => nowMs);
  return {
    pass: (ms: number) => (nowMs += ms),
    isWell: () => findFailures().length === 0,
    failures: () => findFailures().map(({ kind, text }) => `${kind}: ${text}`),
  };
}

const listPrices = (stripe: ReturnType<typeof createStripe>) =>
  stripe.prices.list({}, { maxNetworkRetries: 0 }).catch(() => undefined);

test('Stripe’s health is bad after failures, until a call succeeds or ten minutes pass', async ({
  sandbox,
}) => {
  const stripe = createStripe({
    secretKey: sandbox.credentials.stripeSecretKey,
    apiUrl: sandbox.url,
  });
  const { isWell, failures, pass } = watch(stripe);

  sandbox.setFault({ target: 'stripe', mode: 'status', status: 500, times: 1 });
  await listPrices(stripe);
  expect(failures()).toEqual(['stripe-unavailable: Nobody can subscribe: Stripe answered 500.']);
  await listPrices(stripe);
  expect(isWell()).toBe(true);

  sandbox.setFault({ target: 'stripe', mode: 'status', status: 401, times: 1 });
  await listPrices(stripe);
  expect(failures()).toEqual([
    expect.stringMatching(/^stripe-unavailable: Nobody can subscribe: Stripe refuses the key/),
  ]);
  pass(11 * MINUTE_MS);
  expect(isWell()).toBe(true);
});

test('a health check asks Stripe once a minute', async ({ sandbox }) => {
  const stripe = createStripe({
    secretKey: sandbox.credentials.stripeSecretKey,
    apiUrl: sandbox.url,
  });
  const { isWell, pass } = watch(stripe);
  await listPrices(stripe);
  sandbox.setFault({ target: 'stripe', mode: 'status', status: 503, times: 1 });

  pass(MINUTE_MS - 1);
  expect([isWell(), isWell()]).toEqual([true, true]);
  pass(1);
  expect(isWell()).toBe(true);

  await vi.waitFor(() => expect(isWell()).toBe(false), 15_000);
});

test('Stripe’s health is bad once a call has gone unanswered', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const stripe = createStripe({ secretKey: 'sk_test_x', apiUrl: `http://127.0.0.1:${port}` });
  const { isWell, pass } = watch(stripe);

  const call = stripe.prices.list({}, { timeout: 50, maxNetworkRetries: 0 }).catch(() => undefined);
  expect(isWell()).toBe(true);
  await call;
  pass(6_000);

  expect(isWell()).toBe(false);
});
