import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { systemClock } from '@site/platform/process/clock';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import type { Sandbox } from '@site/sandbox/sandbox';
import { planSetUp } from '../stripe/set-up.ts';
import type { createStripe } from '../stripe/stripe.client.ts';
import { startApi } from './api.fixture.ts';

/** The whole API over HTTP, with the real SDK and a sandbox whose catalog is set up. */
export type Shop = {
  url: string;
  stripe: ReturnType<typeof createStripe>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends an event as Stripe does. Text is sent unchanged. */
  deliver(event: unknown, options?: { secret?: string; ageSeconds?: number }): Promise<Answer>;
  close(): Promise<void>;
};
// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on any answer of the API
export type Answer = { status: number; headers: Headers; body: any };

export type ShopParts = {
  db: Database;
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  sandbox: { url: string; credentials: { stripeSecretKey: string; stripeWebhookSecret: string } };
};

export type ShopOptions = {
  settings?: Record<string, string>;
  checkoutDeadlineMs?: number;
  isSetUp?: boolean;
};

async function openShop(
  { db, sandbox, ...infra }: ShopParts,
  { settings, isSetUp = true, checkoutDeadlineMs }: ShopOptions = {},
): Promise<Shop> {
  const api = await startApi(
    { ...infra, stripeUrl: sandbox.url },
    { PUBLIC_URL: 'http://site.example', RATE_LIMIT_LEADS_PER_MINUTE: '0', ...settings },
    { db, clock: systemClock, ...(checkoutDeadlineMs !== undefined && { checkoutDeadlineMs }) },
  );
  const { stripe } = api.deps;
  if (isSetUp) for (const change of await planSetUp(stripe, 'launch')) await change.apply();
  const send = async (...request: Parameters<typeof api.call>): Promise<Answer> => {
    const { status, headers, json, text } = await api.call(...request);
    return { status, headers, body: json ?? text };
  };
  return {
    url: api.url,
    stripe,
    get: (path, headers = {}) => send('GET', path, { headers }),
    post: (path, body, headers = {}) => send('POST', path, { body, headers }),
    deliver: (event, { secret = sandbox.credentials.stripeWebhookSecret, ageSeconds = 0 } = {}) => {
      const payload = typeof event === 'string' ? event : JSON.stringify(event);
      const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds;
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
      const headers = { 'Stripe-Signature': signature };
      return send('POST', '/api/stripe/webhook', { body: payload, headers });
    },
    close: () => api.close(),
  };
}

/**
 * `test` with a shop, with its own database and sandbox, to which Stripe delivers nothing unless
 * the test does. `newShop` opens others, with options or other parts, and closes them after the
 * test.
 */
export const test = base
  .extend('newShop', ({ db, databaseUrl, redisUrl, redisPrefix, sandbox }, { onCleanup }) => {
    const shops: Shop[] = [];
    onCleanup(async () => {
      for (const shop of shops) await shop.close();
    });
    return async (options: ShopOptions & { parts?: Partial<ShopParts> } = {}): Promise<Shop> => {
      const shop = await openShop(
        { db, databaseUrl, redisUrl, redisPrefix, sandbox, ...options.parts },
        options,
      );
      shops.push(shop);
      return shop;
    };
  })
  .extend('shop', ({ newShop }) => newShop());

/** Returns a database where nothing answers. */
export const unreachableDatabase = () =>
  createDatabase({ url: 'postgres://nobody@127.0.0.1:1/nowhere' });

/** The visitor of most tests, with their email as typed. */
export const VISITOR = 'Priya@acquirers.example';

/** Opens a checkout as the site does, for `VISITOR` unless the body names another. */
export const openCheckout = (shop: Shop, body: object = {}, headers?: Record<string, string>) =>
  shop.post('/api/checkout/session', { email: VISITOR, ...body }, headers);

/** Returns the checkout id in the URL of Stripe's page. */
export const sessionOf = (url: string) => /\/(cs_test_\w+)/.exec(url)?.[1] ?? '';

/** Opens a checkout and pays on Stripe's page. Delivers no event. */
export async function pay(
  shop: Shop,
  sandbox: Sandbox,
  {
    email,
    leadId,
    ...paid
  }: { email: string; leadId?: string | undefined; name?: string; cardNumber?: string },
) {
  const { body } = await openCheckout(shop, { email, leadId });
  const id = sessionOf(body.url);
  sandbox.stripe.completeCheckout(id, { email, name: 'Priya Raman', ...paid });
  return { id, subscription: sandbox.stripe.subscriptions.newestFirst()[0]! };
}

/** Pays for another product of the same Stripe account. Returns the checkout's id. */
export async function payForMugs(shop: Shop, sandbox: Sandbox, email: string): Promise<string> {
  const price = await priceOfMugs(shop, 'week');
  const session = await shop.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price, quantity: 1 }],
    success_url: 'https://mugs.example',
  });
  sandbox.stripe.completeCheckout(session.id, { email });
  return session.id;
}

/** A price of another product. */
export async function priceOfMugs(shop: Shop, interval: 'week' | 'month'): Promise<string> {
  const price = await shop.stripe.prices.create({
    product_data: { name: 'Mug club' },
    currency: 'gbp',
    unit_amount: 100,
    recurring: { interval },
  });
  return price.id;
}

/** The newest event of a type that Stripe has. */
export function eventOf(sandbox: Sandbox, type: string) {
  const event = sandbox.stripe.events.newestFirst().find((event) => event.type === type);
  if (!event) throw new Error(`no event ${type}`);
  return event;
}
