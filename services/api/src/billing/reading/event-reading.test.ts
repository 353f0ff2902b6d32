// @module-tag long
import type { Sandbox } from '@site/sandbox/sandbox';
import { OFFER } from '@site/schema/offer';
import { describe, expect } from 'vitest';
import { eventOf, pay, sessionOf, test } from '../../testing/shop.fixture.ts';
import type { Shop } from '../../testing/shop.fixture.ts';

const EMAIL = 'priya@acquirers.example';

/** Subscribes with a coupon. No event is delivered. */
async function subscribeWithCoupon(shop: Shop, sandbox: Sandbox) {
  const { body } = await shop.post('/api/checkout/upsell', { plan: 'monthly15', email: EMAIL });
  sandbox.stripe.completeCheckout(sessionOf(body.url), { email: EMAIL });
  return sandbox.stripe.subscriptions.newestFirst()[0]!;
}

/** Loses a coupon altogether, so that Stripe refuses a call that asks to include it. */
function loseCoupon(sandbox: Sandbox): void {
  sandbox.stripe.redemptions.load([]);
  sandbox.stripe.coupons.remove('monthly15');
}

describe('incomplete readings', () => {
  test('a status is applied although the coupon is missing, which stays as stored', async ({
    shop,
    sandbox,
    db,
  }) => {
    const { id } = await subscribeWithCoupon(shop, sandbox);
    await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));
    loseCoupon(sandbox);
    await shop.stripe.subscriptions.cancel(id);

    const answer = await shop.deliver(eventOf(sandbox, 'customer.subscription.deleted'));

    expect(answer.body.outcome).toBe('applied');
    expect(await db('subscriptions')).toMatchObject([
      {
        status: 'canceled',
        coupon: 'monthly15',
        amountPence: 20_315,
        unreadParts: ['coupon', 'invoice'],
      },
    ]);
    expect(await db('people').whereNotNull('tier')).toMatchObject([{ tier: 'free' }]);
  });

  test('a status is applied although the invoice of the event is missing', async ({
    shop,
    sandbox,
    db,
  }) => {
    const { subscription } = await pay(shop, sandbox, { email: EMAIL });
    const event = structuredClone(eventOf(sandbox, 'invoice.paid'));
    sandbox.stripe.invoices.remove(String(subscription.latest_invoice));

    const answer = await shop.deliver(event);

    expect(answer.body.outcome).toBe('applied');
    expect(await db('subscriptions')).toMatchObject([
      { status: 'trialing', unreadParts: ['invoice'] },
    ]);
    expect(await db('stripe_invoices')).toEqual([]);
  });

  test('a status is applied although other values are unknown, which stay as stored', async ({
    shop,
    sandbox,
    db,
  }) => {
    const { subscription } = await pay(shop, sandbox, { email: EMAIL });
    await shop.deliver(eventOf(sandbox, 'customer.subscription.created'));
    const [item] = subscription.items.data;
    Object.assign(item!, {
      price: { ...item!.price, recurring: { interval: 'fortnight', interval_count: 1 } },
    });
    Object.assign(subscription, {
      status: 'unheard_of',
      pause_collection: 'new',
      trial_end: 'soon',
    });

    const answer = await shop.deliver({ ...eventOf(sandbox, 'invoice.paid'), id: 'evt_2' });

    expect(answer.body.outcome).toBe('applied');
    expect(await db('subscriptions')).toMatchObject([
      {
        status: 'unheard_of',
        stage: 'incomplete',
        plan: 'monthly',
        amountPence: OFFER.launchPricePence,
        trialEndsAt: expect.any(Date),
        unreadParts: ['dates', 'details', 'price'],
      },
    ]);
  });

  test('a later reading repairs everything again', async ({ shop, sandbox, db }) => {
    const { subscription } = await pay(shop, sandbox, { email: EMAIL });
    Object.assign(subscription, { trial_end: 'soon' });
    await shop.deliver(eventOf(sandbox, 'customer.subscription.created'));
    Object.assign(subscription, { trial_end: subscription.created + 1 });

    await shop.deliver(eventOf(sandbox, 'invoice.paid'));

    expect(await db('subscriptions')).toMatchObject([
      { unreadParts: [], trialEndsAt: expect.any(Date) },
    ]);
  });
});

describe('a completed checkout', () => {
  test('a completed checkout expires the other open checkouts of its email', async ({
    shop,
    sandbox,
    db,
  }) => {
    const open = async (path: string, email: string, key: string) => {
      const body = { email, plan: 'annual25' };
      return sessionOf((await shop.post(path, body, { 'Idempotency-Key': key })).body.url);
    };
    const other = await open('/api/checkout/session', EMAIL.toUpperCase(), 'another tab');
    const upsell = await open('/api/checkout/upsell', EMAIL, 'the sample page');
    const over = await open('/api/checkout/upsell', EMAIL, 'yesterday');
    const stranger = await open('/api/checkout/session', 'sam@acquirers.example', 'another person');
    await shop.stripe.checkout.sessions.expire(over);
    const { id } = await pay(shop, sandbox, { email: EMAIL });

    const answer = await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));

    expect(answer.body.outcome).toBe('applied');
    const statusOf = (session: string) => sandbox.stripe.checkouts.find(session)?.session.status;
    expect([other, upsell, over, id, stranger].map(statusOf)).toEqual([
      'expired',
      'expired',
      'expired',
      'complete',
      'open',
    ]);
    expect(await db('checkouts').where({ stripeCheckoutSessionId: id })).toMatchObject([
      { state: 'complete' },
    ]);
    // The end of the others is stored when Stripe reports it.
    const expired = sandbox.stripe.events
      .newestFirst()
      .filter(({ type }) => type === 'checkout.session.expired');
    for (const event of expired) await shop.deliver(event);
    expect(
      await db('checkouts').where({ state: 'open' }).pluck('stripe_checkout_session_id'),
    ).toEqual([stranger]);
  });

  test('a completed checkout is delivered again if Stripe cannot expire the others now', async ({
    shop,
    sandbox,
    db,
  }) => {
    await shop.post(
      '/api/checkout/session',
      { email: EMAIL },
      { 'Idempotency-Key': 'another tab' },
    );
    await pay(shop, sandbox, { email: EMAIL });
    const event = eventOf(sandbox, 'checkout.session.completed');
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    const first = await shop.deliver(event);
    sandbox.setFault({ target: 'stripe', mode: 'ok' });

    const second = await shop.deliver(event);

    expect([first.status, second.body.outcome]).toEqual([503, 'applied']);
    expect(await db('subscriptions')).toHaveLength(1);
  });
});
