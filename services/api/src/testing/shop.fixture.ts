import { Pool } from 'pg';
import { test as base } from '@site/testing/fixtures';
import { systemClock } from '@site/platform/process/clock';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { createLogger } from '@site/platform/process/logger';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { connectFailFast } from '@site/platform/redis/connect';
import { createHealthReader } from '@site/platform/health/sync-facts';
import { readSettings } from '@site/platform/settings/read-settings';
import type { Sandbox } from '@site/sandbox/sandbox';
import { once } from 'node:events';
import { v7 as newId } from 'uuid';
import { createApp } from '../app.ts';
import { createHttpServer } from '../http/server.ts';
import { locateNowhere } from '../leads/client-facts.ts';
import { createIntakeBatches } from '../leads/intake-batches.ts';
import { apiSettings } from '../settings.ts';
import { createSitePages } from '../site/site-pages.ts';
import { planSetUp } from '../stripe/set-up.ts';
import { createStripe } from '../stripe/stripe.client.ts';
import { plainSite } from './site.fixture.ts';
import { checkResponse } from './conformance.ts';

/** For tests: the whole API over HTTP, with the real SDK talking to a sandbox whose catalog is set up. */
export type Shop = {
  url: string;
  stripe: ReturnType<typeof createStripe>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends an event as Stripe does. Text is sent as it is. */
  deliver(event: unknown, options?: { secret?: string; ageSeconds?: number }): Promise<Answer>;
  close(): Promise<void>;
};
// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on any answer of the API
export type Answer = { status: number; headers: Headers; body: any };

export type ShopParts = {
  db: Database;
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
  { db, redisUrl, redisPrefix, sandbox }: ShopParts,
  options: ShopOptions = {},
): Promise<Shop> {
  const log = createLogger({ service: 'api', level: 'silent' });
  const settings = readSettings(apiSettings, {
    DATABASE_URL: 'postgres://unused',
    REDIS_URL: redisUrl,
    STRIPE_API_URL: sandbox.url,
    PUBLIC_URL: 'http://site.example',
    RATE_LIMIT_LEADS_PER_MINUTE: '0',
    ...options.settings,
  });
  const stripe = createStripe(settings.stripe);
  if (options.isSetUp !== false)
    for (const change of await planSetUp(stripe, 'launch')) await change.apply();

  const redis = connectFailFast(redisUrl, log);
  const syncQueue = createSyncQueue({ redis, log, prefix: redisPrefix });
  const deps = {
    db,
    exportPool: new Pool({ max: 1 }),
    redis,
    limitPrefix: redisPrefix,
    sessions: (_req: unknown, _res: unknown, next: () => void) => next(),
    syncQueue,
    stripe,
    clock: systemClock,
    newId,
    locate: locateNowhere,
    pages: createSitePages(plainSite(), { clock: systemClock, settings }),
    health: createHealthReader({ db, maxPendingMs: settings.maxPendingMs }),
    store: createIntakeBatches(db),
    log,
    settings,
    ...(options.checkoutDeadlineMs !== undefined && {
      checkoutDeadlineMs: options.checkoutDeadlineMs,
    }),
  };
  const server = createHttpServer(createApp(deps));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;

  const send = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    await checkResponse(url, init?.method ?? 'GET', path, response, text);
    return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
  };
  return {
    url,
    stripe,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, body, headers) =>
      send(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    deliver: (event, { secret = sandbox.credentials.stripeWebhookSecret, ageSeconds = 0 } = {}) => {
      const payload = typeof event === 'string' ? event : JSON.stringify(event);
      const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds;
      return send('/api/stripe/webhook', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Stripe-Signature': stripe.webhooks.generateTestHeaderString({
            payload,
            secret,
            timestamp,
          }),
        },
        body: payload,
      });
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await syncQueue.close();
    },
  };
}

/**
 * `test` with a shop on a database and a sandbox of its own, to which Stripe delivers nothing unless the test does it.
 * `newShop` opens others, with options or with other parts, and closes them after the test.
 */
export const test = base
  .extend('newShop', ({ db, redisUrl, redisPrefix, sandbox }, { onCleanup }) => {
    const shops: Shop[] = [];
    onCleanup(async () => {
      for (const shop of shops) await shop.close();
    });
    return async (options: ShopOptions & { parts?: Partial<ShopParts> } = {}): Promise<Shop> => {
      const shop = await openShop(
        { db, redisUrl, redisPrefix, sandbox, ...options.parts },
        options,
      );
      shops.push(shop);
      return shop;
    };
  })
  .extend('shop', ({ newShop }) => newShop());

/** A database where nothing answers. */
export const unreachableDatabase = () =>
  createDatabase({ url: 'postgres://nobody@127.0.0.1:1/nowhere' });

/** The visitor of most tests, with their email as typed. */
export const VISITOR = 'Priya@acquirers.example';

/** Opens a checkout as the site does, for `VISITOR` unless the body names another. */
export const openCheckout = (shop: Shop, body: object = {}, headers?: Record<string, string>) =>
  shop.post('/api/checkout/session', { email: VISITOR, ...body }, headers);

/** Returns the checkout id in the URL of Stripe's page. */
export const sessionOf = (url: string) => /\/(cs_test_\w+)/.exec(url)?.[1] ?? '';

/** A visitor opens a checkout and pays on Stripe's page. No event is delivered. */
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

/** Somebody pays for another product of the same Stripe account. Returns the checkout's id. */
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
