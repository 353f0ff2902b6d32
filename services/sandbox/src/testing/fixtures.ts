import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import type { Clock } from '../clock.ts';
import { checkBeehiivAnswer } from '../contract/beehiiv-schema.ts';
import type { Sandbox, SandboxOptions } from '../sandbox.ts';
import { createSandbox } from '../sandbox.ts';

/** Starts a sandbox for this test and closes it when the test ends. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/**
 * Creates a client of the Beehiiv sandbox that returns every answer, refusals included. It throws
 * if an answer is not as in Beehiiv's published document.
 */
export function beehiivClient(
  sandbox: Sandbox,
  apiKey = sandbox.credentials.beehiivApiKey,
): AxiosInstance {
  const client = axios.create({
    baseURL: `${sandbox.url}/v2/publications/${sandbox.credentials.beehiivPublicationId}`,
    headers: { Authorization: `Bearer ${apiKey}` },
    validateStatus: () => true,
    timeout: 5_000,
  });
  client.interceptors.response.use((answer) => {
    const { method = 'get', url = '/' } = answer.config;
    const body = answer.data === '' ? null : answer.data;
    // A fault that a test has set.
    if (typeof body === 'string') return answer;
    const faults = checkBeehiivAnswer({
      method: method.toUpperCase(),
      path: url,
      status: answer.status,
      body,
    });
    if (faults.length > 0)
      throw new Error(`${method} ${url} is not as in Beehiiv's document: ${faults.join('; ')}`);
    return answer;
  });
  return client;
}

export function stripeClient(
  sandbox: Sandbox,
  config: { key?: string; maxNetworkRetries?: number; timeout?: number } = {},
) {
  return new Stripe(config.key ?? sandbox.credentials.stripeSecretKey, {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: config.maxNetworkRetries ?? 0,
    timeout: config.timeout ?? 5_000,
  });
}

/** Creates a clock that stands still until it is moved. */
export function standingClock(
  start = new Date('2026-11-20T09:00:00Z'),
): Clock & { advance(ms: number): void } {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    advance(ms) {
      at += ms;
    },
  };
}

/** Creates a product with a monthly price and a coupon, as `stripe:setup` does. */
export async function buildCatalog(stripe: Stripe) {
  const product = await stripe.products.create({ name: 'Ledger <weekly>' });
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 23_900,
    recurring: { interval: 'month' },
    lookup_key: 'launch_monthly',
    tax_behavior: 'inclusive',
  });
  const coupon = await stripe.coupons.create({
    id: 'monthly15',
    percent_off: 15,
    duration: 'forever',
  });
  return { product, price, coupon };
}

export function buildSessionParams(price: string): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    customer_email: 'ada@example.com',
    success_url: 'http://shop.test/thank-you?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://shop.test/',
    subscription_data: { trial_period_days: 7, metadata: { lead_id: 'L1' } },
  };
}

export type Delivery = { body: Buffer; signature: string };

/**
 * Starts a webhook endpoint that answers the given statuses in turn, then 200, and keeps each
 * delivery.
 */
export async function startWebhookEndpoint(statuses: number[] = []) {
  const deliveries: Delivery[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      deliveries.push({
        body: Buffer.concat(chunks),
        signature: String(req.headers['stripe-signature']),
      });
      res.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, deliveries };
}
