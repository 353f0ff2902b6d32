// @module-tag long
import { systemClock } from '@site/platform/process/clock';
import { createLogger } from '@site/platform/process/logger';
import { createSandbox } from '@site/sandbox/sandbox';
import type { Sandbox } from '@site/sandbox/sandbox';
import { storeLead } from '@site/testing/builders';
import { v7 as newId } from 'uuid';
import { expect } from 'vitest';
import { erase } from '../../admin/privacy/privacy.service.ts';
import { openCheckout, sessionOf, test as base } from '../../testing/shop.fixture.ts';
import type { Shop } from '../../testing/shop.fixture.ts';
import { replayEvents } from './missed-events.ts';
import type { WebhookDeps } from './inbox.service.ts';

/** A Stripe that delivers once and never again. */
const test = base
  .extend('impatient', async ({ infra: _ }, { onCleanup }) => {
    const sandbox = await createSandbox({ port: 0, webhookRetryDelaysMs: [] });
    onCleanup(() => sandbox.close());
    return sandbox;
  })
  .extend('shop', ({ newShop, impatient }) => newShop({ parts: { sandbox: impatient } }))
  .extend('deps', ({ db, shop, impatient }): WebhookDeps => {
    const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } =
      impatient.credentials;
    return {
      db,
      stripe: shop.stripe,
      settings: { stripe: { secretKey, webhookSecret, apiUrl: impatient.url } },
      log: createLogger({ service: 'api', level: 'silent' }),
      clock: systemClock,
      newId,
      syncQueue: { wake: () => Promise.resolve() },
    };
  });

const EMAIL = 'priya@acquirers.example';
const SINCE = new Date(Date.now() - 30 * 24 * 60 * 60_000);

async function subscribe(shop: Shop, sandbox: Sandbox): Promise<void> {
  const { body } = await openCheckout(shop, { email: EMAIL });
  sandbox.stripe.completeCheckout(sessionOf(body.url), { email: EMAIL });
  await sandbox.stripe.webhooksSettled();
}

test('replay applies undelivered events, and has nothing to do the second time', async ({
  shop,
  impatient,
  deps,
  db,
}) => {
  impatient.setWebhookUrl('http://127.0.0.1:1/nobody');
  await subscribe(shop, impatient);
  const seen: string[] = [];

  const first = await replayEvents(deps, {
    since: SINCE,
    onProgress: (_report, { type }) => seen.push(type),
  });
  const second = await replayEvents(deps, { since: SINCE });

  expect(first).toEqual({ applied: 4, ignored: 0, repeated: 0, parked: 0 });
  expect(seen).toEqual([
    'customer.subscription.created',
    'invoice.finalized',
    'invoice.paid',
    'checkout.session.completed',
  ]);
  expect(second).toEqual({ applied: 0, ignored: 0, repeated: 4, parked: 0 });
  expect(await db('subscriptions')).toMatchObject([{ email: EMAIL, status: 'trialing' }]);
  expect(await db('leads')).toHaveLength(1);
});

test('replay skips delivered events, unless all are asked for', async ({
  shop,
  impatient,
  deps,
}) => {
  impatient.setApiUrl(shop.url);
  await subscribe(shop, impatient);

  const missed = await replayEvents(deps, { since: SINCE });
  const all = await replayEvents(deps, { since: SINCE, all: true });

  expect(missed).toEqual({ applied: 0, ignored: 0, repeated: 0, parked: 0 });
  expect(all).toEqual({ applied: 0, ignored: 0, repeated: 4, parked: 0 });
});

test('replay applies events that were ignored because a setting was wrong', async ({
  shop,
  impatient,
  deps,
  db,
}) => {
  impatient.setWebhookUrl(null);
  await subscribe(shop, impatient);
  const { webhookSecret, apiUrl } = deps.settings.stripe;
  const live = { stripe: { secretKey: 'sk_live_1', webhookSecret, apiUrl } };
  const ignored = await replayEvents({ ...deps, settings: live }, { since: SINCE, all: true });

  const report = await replayEvents(deps, { since: SINCE, all: true });

  expect(ignored).toEqual({ applied: 0, ignored: 4, repeated: 0, parked: 0 });
  expect(report).toEqual({ applied: 4, ignored: 0, repeated: 0, parked: 0 });
  expect(await db('subscriptions')).toMatchObject([{ email: EMAIL, status: 'trialing' }]);
});

test('replay retries parked events, and counts those still parked', async ({
  shop,
  impatient,
  deps,
  db,
}) => {
  impatient.setApiUrl(shop.url);
  await subscribe(shop, impatient);
  const [event] = await db('stripe_events').where({ type: 'invoice.paid' });
  const gone = { id: 'evt_gone', type: 'customer.subscription.updated' };
  const stored = impatient.stripe.events.find(event.id);
  await db('stripe_events').where({ id: event.id }).delete();
  await db('stripe_events').insert([
    {
      id: event.id,
      type: event.type,
      outcome: 'parked',
      failure: 'a failure of ours',
      objectId: stored!.data.object['id'],
      // A reviewed event is retried, too.
      reviewedAt: new Date(),
    },
    {
      ...gone,
      outcome: 'parked',
      failure: 'resource_missing',
      objectId: 'sub_gone',
    },
    { id: 'unreadable_1', type: 'unreadable', outcome: 'parked', failure: 'no event' },
  ]);

  const report = await replayEvents(deps, { since: SINCE });

  expect(report).toMatchObject({ applied: 1, parked: 1 });
  expect(await db('stripe_events').where({ id: event.id })).toMatchObject([{ outcome: 'applied' }]);
});

test('replay stops when Stripe is unreachable, and continues from there the next time', async ({
  shop,
  impatient,
  deps,
  db,
}) => {
  impatient.setWebhookUrl('http://127.0.0.1:1/nobody');
  await subscribe(shop, impatient);
  impatient.setFault({ target: 'stripe', mode: 'status', status: 500 });
  await expect(replayEvents(deps, { since: SINCE })).rejects.toMatchObject({ statusCode: 500 });
  impatient.setFault({ target: 'stripe', mode: 'ok' });

  const report = await replayEvents(deps, { since: SINCE });

  expect(report.applied).toBe(4);
  expect(await db('stripe_events').where({ outcome: 'parked' })).toEqual([]);
});

test('replay brings nobody back who was erased after their subscription ended', async ({
  shop,
  impatient,
  deps,
  db,
}) => {
  impatient.setWebhookUrl('http://127.0.0.1:1/nobody');
  const lead = await storeLead(db, { email: EMAIL, beehiivStatus: 'sent' });
  const { body } = await openCheckout(shop, { email: EMAIL, leadId: lead.id });
  impatient.stripe.completeCheckout(sessionOf(body.url), { email: EMAIL });
  const [subscription] = impatient.stripe.subscriptions.newestFirst();
  await shop.stripe.subscriptions.cancel(subscription!.id);
  await impatient.stripe.webhooksSettled();
  await erase({ db, newId }, 'j.holt', EMAIL);

  await replayEvents(deps, { since: SINCE });

  expect(await db('leads')).toEqual([]);
  expect(await db('subscriptions')).toMatchObject([{ email: null, status: 'canceled' }]);
});
