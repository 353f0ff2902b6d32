// @module-tag long
import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import { createLogger } from '@site/platform/process/logger';
import { createFixedClock } from '../../testing/fixed-clock.ts';
import { readStripeFailures } from '@site/platform/health/money-health';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import Stripe from 'stripe';
import { v7 as newId } from 'uuid';
import { describe, expect, vi } from 'vitest';
import { eventOf, pay, payForMugs, sessionOf, test as base } from '../../testing/shop.fixture.ts';
import { createStripe } from '../../stripe/stripe.client.ts';
import { listMissedEvents } from '../inbox/missed-events.ts';
import type { WebhookDeps } from '../inbox/inbox.service.ts';
import { takeTurn } from './stripe-watch.ts';

const MINUTE_MS = 60_000;

/** The deps of the watch, a quarter of an hour later. */
const test = base.extend('deps', async ({ db, shop, sandbox }): Promise<WebhookDeps> => {
  await task(db, 'stripe-events').update({ since: new Date(Date.now() - 60 * MINUTE_MS) });
  return {
    db,
    stripe: shop.stripe,
    settings: {
      stripe: {
        secretKey: SANDBOX_CREDENTIALS.stripeSecretKey,
        webhookSecret: SANDBOX_CREDENTIALS.stripeWebhookSecret,
        apiUrl: sandbox.url,
      },
    },
    log: createLogger({ service: 'api', level: 'silent' }),
    clock: createFixedClock(new Date(Date.now() + 15 * MINUTE_MS)),
    newId,
    syncQueue: { wake: () => Promise.resolve() },
  };
});

const EMAIL = 'priya@acquirers.example';
const A_DAY_AGO = new Date(Date.now() - 24 * 60 * MINUTE_MS);
/** Makes the next reading of live subscriptions due. */
const letNightPass = (db: Database) =>
  task(db, 'stripe-reading').update({ coversUntil: A_DAY_AGO });
const undelivered = async (deps: WebhookDeps) =>
  (await readStripeFailures(deps.db)).find(({ failure }) => failure === 'stripe-events-undelivered')
    ?.count;

describe('events that Stripe did not deliver', () => {
  test('undelivered events are applied, and reported until a delivery arrives', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    await pay(shop, sandbox, { email: EMAIL });

    await takeTurn(deps);

    expect(await db('subscriptions')).toMatchObject([{ email: EMAIL, status: 'trialing' }]);
    expect(await undelivered(deps)).toBe(4);
    expect(await listMissedEvents(deps, deps.clock.now())).toEqual([]);
    // Somebody corrects the secret, and Stripe delivers an event again.
    await shop.deliver(eventOf(sandbox, 'invoice.paid'));
    expect(await undelivered(deps)).toBe(0);
  });

  test('undelivered events do not wait for one that Stripe cannot return', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    await pay(shop, sandbox, { email: EMAIL });
    const { subscriptions } = shop.stripe;
    const retrieve = subscriptions.retrieve.bind(subscriptions);
    const away = new Stripe.errors.StripeAPIError({
      type: 'api_error',
      message: 'no',
      statusCode: 500,
    });
    vi.spyOn(subscriptions, 'retrieve').mockRejectedValueOnce(away).mockImplementation(retrieve);

    await takeTurn(deps);

    expect(await db('stripe_events')).toHaveLength(3);
    expect(await listMissedEvents(deps, deps.clock.now())).toHaveLength(1);
  });

  test('undelivered events do not wait for another part of the turn that fails', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    await pay(shop, sandbox, { email: EMAIL });
    await db.raw('alter table money_nights rename to gone');

    await takeTurn(deps);

    expect(await db('subscriptions')).toMatchObject([{ email: EMAIL }]);
  });

  test('a key that may not list events is an alert with the permission', async ({
    sandbox,
    db,
    deps,
  }) => {
    const named = async () =>
      (await readStripeFailures(db)).flatMap(({ failure, count, names }) =>
        failure === 'stripe-permission-missing' && count > 0 ? names : [],
      );
    const secretKey = 'rk_test_sandbox_without_event_read';
    const stripe = createStripe({ secretKey, apiUrl: sandbox.url });

    await takeTurn({ ...deps, stripe });
    expect(await named()).toEqual(['rak_event_read']);

    await task(db, 'stripe-events').update({ seenAt: new Date(0) });
    await takeTurn(deps);
    expect(await named()).toEqual([]);
  });

  test('undelivered events are neither recent nor from before our time', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    await pay(shop, sandbox, { email: EMAIL });

    const early = await listMissedEvents(deps, new Date());
    await task(db, 'stripe-events').update({ since: new Date(Date.now() + MINUTE_MS) });
    const before = await listMissedEvents(deps, deps.clock.now());

    expect([early, before]).toEqual([[], []]);
  });

  test('one process looks for undelivered events every five minutes', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    await takeTurn(deps);
    sandbox.setFault({ target: 'stripe', mode: 'ok' });
    await pay(shop, sandbox, { email: EMAIL });

    await takeTurn(deps);
    expect(await db('subscriptions')).toEqual([]);
    await task(db, 'stripe-events').update({ seenAt: new Date(Date.now() - 5 * MINUTE_MS) });
    await takeTurn(deps);

    expect(await db('subscriptions')).toHaveLength(1);
  });
});

describe('live subscriptions', () => {
  test('live subscriptions are read once a night, although no event reports their change', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    const { subscription } = await pay(shop, sandbox, { email: EMAIL });
    const { subscription: ended } = await pay(shop, sandbox, { email: 'sam@acquirers.example' });
    await payForMugs(shop, sandbox, 'kim@acquirers.example');
    await takeTurn(deps);
    await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await shop.stripe.subscriptions.cancel(ended.id);
    await takeTurn(deps);
    const byDay = await db('subscriptions').whereNot({ stage: 'trial' });
    await letNightPass(db);

    await takeTurn(deps);

    expect(byDay).toEqual([]);
    const stages = await db('subscriptions')
      .orderBy('stage')
      .select('stripeSubscriptionId', 'stage');
    expect(stages).toEqual([
      { stripeSubscriptionId: ended.id, stage: 'ended' },
      { stripeSubscriptionId: subscription.id, stage: 'ending' },
    ]);
    expect(await db('people').where({ tier: 'free' })).toHaveLength(1);
  });

  test('the nightly reading reads a latest invoice that no event brought', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    await pay(shop, sandbox, { email: EMAIL });
    sandbox.stripe.advance({ days: 8 });
    await letNightPass(db);
    await task(db, 'stripe-events').update({ seenAt: new Date() });

    await takeTurn(deps);

    const { id } = sandbox.stripe.invoices.newestFirst()[0]!;
    expect(await db('stripe_invoices')).toMatchObject([{ id, paidPence: 23_900 }]);
    expect(await db('subscriptions')).toMatchObject([{ firstPaidAt: expect.any(Date) }]);
  });

  test('live subscriptions are read even if Stripe refuses to list a missing coupon', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    const buy = async (plan: string, email: string) => {
      const { body } = await shop.post('/api/checkout/upsell', { plan, email });
      sandbox.stripe.completeCheckout(sessionOf(body.url), { email });
    };
    await buy('monthly15', EMAIL);
    await takeTurn(deps);
    sandbox.stripe.redemptions.load([]);
    sandbox.stripe.coupons.remove('monthly15');
    const { id } = sandbox.stripe.subscriptions.newestFirst()[0]!;
    await buy('annual25', 'new@acquirers.example');
    await shop.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await letNightPass(db);

    await takeTurn(deps);

    expect(await db('subscriptions').orderBy('createdAt')).toMatchObject([
      { stage: 'ending', coupon: 'monthly15' },
      { stage: 'trial', coupon: 'annual25' },
    ]);
  });

  test('live subscriptions are read later in the night if Stripe is unreachable', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    const { subscription } = await pay(shop, sandbox, { email: EMAIL });
    await takeTurn(deps);
    await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await letNightPass(db);
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    await takeTurn(deps);
    sandbox.setFault({ target: 'stripe', mode: 'ok' });

    await takeTurn(deps);

    expect(await db('subscriptions')).toMatchObject([{ stage: 'ending' }]);
  });

  test('the nightly reading stops when the key lacks a permission', async ({
    shop,
    sandbox,
    db,
    deps,
  }) => {
    await pay(shop, sandbox, { email: EMAIL });
    await takeTurn(deps);
    await letNightPass(db);
    const { subscriptions } = deps.stripe;
    vi.spyOn(subscriptions, 'list').mockResolvedValue({ data: [], has_more: false } as never);
    const forbidden = new Stripe.errors.StripePermissionError({
      type: 'invalid_request_error',
      message: 'no',
      statusCode: 403,
    });
    vi.spyOn(subscriptions, 'retrieve').mockRejectedValue(forbidden);

    await takeTurn(deps);

    expect(await task(db, 'stripe-reading').first()).toMatchObject({ coversUntil: A_DAY_AGO });
  });

  test('undelivered events are tried again once the key has the permission', async ({
    newShop,
    shop,
    sandbox,
    db,
    deps,
  }) => {
    await pay(shop, sandbox, { email: EMAIL });
    const settings = { STRIPE_SECRET_KEY: 'rk_test_sandbox_without_subscription_read' };
    const restricted = await newShop({ settings, isSetUp: false });
    await restricted.deliver(eventOf(sandbox, 'customer.subscription.created'));
    const before = await db('stripe_events').pluck('outcome');

    await takeTurn({ ...deps, clock: createFixedClock(new Date(0)) });

    expect(before).toEqual(['parked']);
    expect(await db('stripe_events').pluck('outcome')).toEqual(['applied']);
  });
});
