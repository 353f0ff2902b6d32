// @module-tag long
import axios from 'axios';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  buildCatalog,
  buildSessionParams,
  standingClock,
  startSandbox,
  startWebhookEndpoint,
  stripeClient,
} from '../../testing/fixtures.ts';

const browser = axios.create({ maxRedirects: 0, validateStatus: () => true });

async function openCheckout(extra: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const sandbox = await startSandbox({ webhookRetryDelaysMs: [1, 1] });
  const stripe = stripeClient(sandbox);
  const { price, product } = await buildCatalog(stripe);
  const session = await stripe.checkout.sessions.create({
    ...buildSessionParams(price.id),
    ...extra,
  });
  return { sandbox, stripe, session, price, product, url: String(session.url) };
}

/** Submits the form as a browser would. */
function pay(url: string, fields: Record<string, string> = {}) {
  const form = {
    email: 'ada@example.com',
    cardNumber: '4242 4242 4242 4242',
    name: 'Ada Lovelace',
    ...fields,
  };
  return browser.post(url, new URLSearchParams(form));
}

describe('paying', () => {
  test('a good card creates customer, subscription and a first invoice of £0', async () => {
    const { sandbox, stripe, session, url, price, product } = await openCheckout({
      discounts: [{ coupon: 'monthly15' }],
    });

    const { status, headers } = await pay(url);

    expect([status, headers['location']]).toEqual([
      303,
      `http://shop.test/thank-you?session_id=${session.id}`,
    ]);
    const done = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.latest_invoice', 'customer', 'line_items', 'subscription.discounts'],
    });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      url: null,
      customer_details: { email: 'ada@example.com', name: 'Ada Lovelace' },
      customer: { object: 'customer', email: 'ada@example.com' },
      line_items: { data: [{ price: { id: price.id } }] },
    });
    const subscription = done.subscription as Stripe.Subscription;
    const item = subscription.items.data[0];
    expect(subscription).toMatchObject({
      object: 'subscription',
      status: 'trialing',
      metadata: { lead_id: 'L1' },
      cancel_at_period_end: false,
      latest_invoice: {
        object: 'invoice',
        amount_due: 0,
        amount_paid: 0,
        status: 'paid',
        billing_reason: 'subscription_create',
      },
      discounts: [{ object: 'discount', source: { type: 'coupon', coupon: 'monthly15' } }],
    });
    expect(item).toMatchObject({
      price: { lookup_key: 'launch_monthly', product: product.id, unit_amount: 23_900 },
      current_period_end: subscription.trial_end,
      current_period_start: subscription.trial_start,
      quantity: 1,
    });
    expect(Number(subscription.trial_end) - Number(subscription.trial_start)).toBe(7 * 86_400);
    expect(sandbox.stripe.coupons.find('monthly15')?.times_redeemed).toBe(1);
  });

  test('a declined card creates nothing, and another card then succeeds', async () => {
    const { sandbox, stripe, session, url } = await openCheckout();

    const declined = await pay(url, { cardNumber: '4000000000000002' });

    expect(declined.data).toContain('Your card was declined');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
    expect(sandbox.stripe.customers.snapshot()).toEqual([]);
    expect((await pay(url, { cardNumber: '4000 0000 0000 0341' })).status).toBe(303);
  });

  test('a card that needs authentication buys nothing until the bank has confirmed it', async () => {
    const { sandbox, stripe, session, url } = await openCheckout();
    const card = { cardNumber: '4000 0025 0000 3155' };

    const asked = await pay(url, card);
    const failed = await pay(url, { ...card, authentication: 'failed' });
    const open = await stripe.checkout.sessions.retrieve(session.id);
    const nothing = [sandbox.stripe.customers.snapshot(), sandbox.stripe.events.snapshot()];
    const confirmed = await pay(url, { ...card, authentication: 'succeeded' });

    expect(asked.data).toContain('Your bank asks you to confirm this payment');
    expect(asked.data).toContain('name="cardNumber" value="4000 0025 0000 3155"');
    expect(failed.data).toContain('We are unable to authenticate your payment method');
    expect(open).toMatchObject({ status: 'open', payment_status: 'unpaid', subscription: null });
    expect(nothing).toEqual([[], []]);
    expect(confirmed.status).toBe(303);
    sandbox.stripe.advance({ days: 7 });
    expect(sandbox.stripe.subscriptions.snapshot()).toMatchObject([{ status: 'active' }]);
  });

  test('a prefilled email cannot be changed', async () => {
    const { sandbox, url } = await openCheckout({ customer_email: 'ada@example.com' });

    const { status } = await pay(url, { email: 'bob@example.com' });

    expect(status).toBe(303);
    expect(sandbox.stripe.customers.snapshot()).toMatchObject([{ email: 'ada@example.com' }]);
  });

  test('paying twice buys once', async () => {
    const { sandbox, url } = await openCheckout();

    await Promise.all([pay(url), pay(url)]);

    expect(sandbox.stripe.subscriptions.snapshot()).toHaveLength(1);
  });
});

describe('the recovery link of an expired checkout', () => {
  const recovery = { after_expiration: { recovery: { enabled: true } } };

  async function expire(extra: Partial<Stripe.Checkout.SessionCreateParams> = recovery) {
    const shop = await openCheckout({
      client_reference_id: 'L1',
      discounts: [{ coupon: 'monthly15' }],
      ...extra,
    });
    const expired = await shop.stripe.checkout.sessions.expire(shop.session.id);
    return {
      ...shop,
      expired,
      link: String(expired.after_expiration?.recovery?.url).split('#')[0] ?? '',
    };
  }

  test('a recovery link opens a copy that names the original and can be paid', async () => {
    const { stripe, session, expired, link, price } = await expire();

    const { status, headers } = await browser.get(link);

    const url = String(headers['location']);
    const id = /cs_test_\w+/.exec(url)?.[0] ?? '';
    const copy = await stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] });
    expect(status).toBe(303);
    expect(copy).toMatchObject({
      status: 'open',
      url,
      payment_status: 'unpaid',
      recovered_from: session.id,
      customer_email: session.customer_email,
      client_reference_id: 'L1',
      metadata: session.metadata,
      discounts: session.discounts,
      success_url: session.success_url,
      after_expiration: { recovery: { enabled: true, url: null, expires_at: null } },
      line_items: { data: [{ price: { id: price.id } }] },
    });
    expect(copy.expires_at - copy.created).toBe(24 * 60 * 60);
    expect((await pay(url)).headers['location']).toBe(
      `http://shop.test/thank-you?session_id=${id}`,
    );
    const paid = await stripe.checkout.sessions.retrieve(id, {
      expand: ['subscription.discounts'],
    });
    expect(paid).toMatchObject({
      status: 'complete',
      subscription: {
        status: 'trialing',
        metadata: { lead_id: 'L1' },
        discounts: [{ source: { coupon: 'monthly15' } }],
      },
    });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toEqual(expired);
  });

  test('a recovery link stops after a month, and does not exist unless requested', async () => {
    const clock = standingClock();
    const sandbox = await startSandbox({ clock });
    const stripe = stripeClient(sandbox);
    const { price } = await buildCatalog(stripe);
    const session = await stripe.checkout.sessions.create({
      ...buildSessionParams(price.id),
      ...recovery,
    });
    const open = await browser.get(`${sandbox.url}/r/${session.id}`);
    const { after_expiration: over } = await stripe.checkout.sessions.expire(session.id);
    const unasked = await expire({ after_expiration: { recovery: { enabled: false } } });

    clock.advance(31 * 24 * 60 * 60_000);

    const late = await browser.get(String(over?.recovery?.url).split('#')[0] ?? '');
    expect([late.status, late.data]).toEqual([
      200,
      expect.stringContaining('This page has expired'),
    ]);
    const never = await browser.get(`${unasked.sandbox.url}/r/${unasked.session.id}`);
    expect(never.data).toContain('This page has expired');
    expect((await browser.get(`${sandbox.url}/r/cs_test_unknown`)).status).toBe(404);
    expect([open.status, open.headers['location']]).toEqual([303, session.url]);
    expect(sandbox.stripe.checkouts.snapshot()).toHaveLength(1);
  });
});

describe('webhooks', () => {
  test('each webhook is signed over its exact bytes and has the pinned version', async () => {
    const { sandbox, stripe, session, url } = await openCheckout();
    const endpoint = await startWebhookEndpoint();
    sandbox.setWebhookUrl(endpoint.url);

    await pay(url);
    await sandbox.stripe.webhooksSettled();

    const events = endpoint.deliveries.map(({ body, signature }) =>
      stripe.webhooks.constructEvent(body, signature, sandbox.credentials.stripeWebhookSecret),
    );
    expect(events.map(({ type }) => type).sort()).toEqual([
      'checkout.session.completed',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
    ]);
    expect(events.map(({ api_version, livemode }) => [api_version, livemode])).toEqual(
      Array.from({ length: 5 }, () => [Stripe.API_VERSION, false]),
    );
    const invoice = events.find(({ type }) => type === 'invoice.paid')?.data
      .object as Stripe.Invoice;
    expect(invoice.parent?.subscription_details).toMatchObject({ metadata: { lead_id: 'L1' } });
    const completed = events.find(({ type }) => type === 'checkout.session.completed')?.data.object;
    expect(completed).toMatchObject({
      id: session.id,
      status: 'complete',
      subscription: expect.stringMatching(/^sub_/),
    });
  });

  test('a refused event is delivered again with the same id until it is accepted', async () => {
    const { sandbox, stripe, session } = await openCheckout();
    const endpoint = await startWebhookEndpoint([500, 302]);
    sandbox.setWebhookUrl(endpoint.url);

    await stripe.checkout.sessions.expire(session.id);
    await sandbox.stripe.webhooksSettled();

    const ids = endpoint.deliveries.map(
      ({ body }) => (JSON.parse(body.toString()) as { id: string }).id,
    );
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    expect((await stripe.events.list({ delivery_success: false })).data).toEqual([]);
  });

  test('an event that is never accepted stays in the list of undelivered events', async () => {
    const { sandbox, stripe, session } = await openCheckout();
    const endpoint = await startWebhookEndpoint([500, 500, 500]);
    sandbox.setWebhookUrl(endpoint.url);

    await stripe.checkout.sessions.expire(session.id);
    await sandbox.stripe.webhooksSettled();

    const undelivered = await stripe.events.list({
      delivery_success: false,
      types: ['checkout.session.expired'],
    });
    expect(undelivered.data).toMatchObject([
      { pending_webhooks: 1, data: { object: { id: session.id } } },
    ]);
  });
});
