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

const GOOD = '4242424242424242';
const FAILS_LATER = '4000000000000341';

async function subscribe(
  cardNumber = GOOD,
  params: Partial<Stripe.Checkout.SessionCreateParams> = {},
) {
  const sandbox = await startSandbox({ clock: standingClock() });
  const stripe = stripeClient(sandbox);
  const { price } = await buildCatalog(stripe);
  const session = await stripe.checkout.sessions.create({
    ...buildSessionParams(price.id),
    ...params,
  });
  const outcome = sandbox.stripe.completeCheckout(session.id, {
    email: 'ada@example.com',
    cardNumber,
  });
  const id = sandbox.stripe.subscriptions.snapshot()[0]?.id ?? '';
  let seen = sandbox.stripe.events.snapshot().length;
  /** Returns the types of the events since the last call, oldest first. */
  const happened = () => {
    const all = sandbox.stripe.events.snapshot();
    const types = all.slice(seen).map(({ type }) => type);
    seen = all.length;
    return types;
  };
  return { sandbox, stripe, id, outcome, happened, read: () => stripe.subscriptions.retrieve(id) };
}

describe('a moved clock', () => {
  test('a coupon that applies once lowers only the first charge after a trial', async () => {
    const { sandbox, stripe, id, read } = await subscribe();
    await stripe.coupons.create({
      id: 'first',
      amount_off: 900,
      currency: 'gbp',
      duration: 'once',
    });
    await stripe.subscriptions.update(id, { discounts: [{ coupon: 'first' }] });

    sandbox.stripe.advance({ days: 7 + 31 });

    expect(sandbox.stripe.invoices.snapshot().map(({ amount_paid: paid }) => paid)).toEqual([
      0, 23_000, 23_900,
    ]);
    expect((await read()).discounts).toEqual([]);
  });

  test('one reminder is sent, three days before a trial ends', async () => {
    const { sandbox, happened } = await subscribe();

    sandbox.stripe.advance({ days: 4, seconds: -1 });
    const early = happened();
    sandbox.stripe.advance({ seconds: 1 });
    const due = happened();
    sandbox.stripe.advance({ days: 2 });

    expect([early, due, happened()]).toEqual([[], ['customer.subscription.trial_will_end'], []]);
  });

  test('a trial ends with its first charge, and each step is emitted in order', async () => {
    const { sandbox, id, happened, read } = await subscribe();
    const trialing = await read();
    sandbox.stripe.advance({ days: 6 });
    happened();

    sandbox.stripe.advance({ days: 1 });

    const active = await read();
    expect(happened()).toEqual([
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'customer.subscription.updated',
    ]);
    expect(active).toMatchObject({ status: 'active', id });
    expect(active.items.data[0]?.current_period_start).toBe(trialing.trial_end);
    const invoices = sandbox.stripe.invoices.snapshot();
    expect(invoices.map((invoice) => [invoice.billing_reason, invoice.amount_paid])).toEqual([
      ['subscription_create', 0],
      ['subscription_cycle', 23_900],
    ]);
  });

  test('a subscription renews on the same day of each month', async () => {
    const { sandbox, read } = await subscribe();

    sandbox.stripe.advance({ days: 7 + 365 });

    const invoices = sandbox.stripe.invoices.snapshot();
    expect(invoices).toHaveLength(1 + 13);
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(14);
    const ends = (await read()).items.data.map((item) =>
      new Date(item.current_period_end * 1_000).toISOString(),
    );
    expect(ends).toEqual(['2027-12-27T09:00:00.000Z']);
  });

  test('a failed charge is retried after three, five and seven days', async () => {
    const { sandbox, stripe, happened, read } = await subscribe(FAILS_LATER);
    sandbox.stripe.advance({ days: 7 });
    const pastDue = await read();
    const first = await stripe.invoices.retrieve(pastDue.latest_invoice as string);
    happened();

    sandbox.stripe.advance({ days: 14 });
    const dunned = happened();
    sandbox.stripe.advance({ days: 1 });

    expect(pastDue.status).toBe('past_due');
    expect(first).toMatchObject({
      status: 'open',
      attempt_count: 1,
      next_payment_attempt: (pastDue.trial_end ?? 0) + 3 * 86_400,
    });
    expect(dunned).toEqual(['invoice.payment_failed', 'invoice.payment_failed']);
    expect(happened()).toEqual(['invoice.payment_failed', 'customer.subscription.deleted']);
    expect(await read()).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
  });

  test('a subscription is left unpaid, by the account’s setting, until its invoice is paid', async () => {
    const { sandbox, stripe, id, read } = await subscribe(FAILS_LATER);
    sandbox.stripe.billing.afterDunning = 'unpaid';
    sandbox.stripe.advance({ days: 7 + 15 });
    const unpaid = await read();
    const method = await stripe.paymentMethods.attach('pm_card_visa', {
      customer: unpaid.customer as string,
    });
    await stripe.subscriptions.update(id, { default_payment_method: method.id });

    const paid = await stripe.invoices.pay(unpaid.latest_invoice as string);

    expect(unpaid.status).toBe('unpaid');
    expect(paid).toMatchObject({ status: 'paid', amount_paid: 23_900, amount_remaining: 0 });
    expect((await read()).status).toBe('active');
  });

  test('a card that fails again gets a card error, which is no scheduled attempt', async () => {
    const { sandbox, stripe, read } = await subscribe(FAILS_LATER);
    sandbox.stripe.advance({ days: 7 });
    const { latest_invoice: invoice } = await read();

    const refusal: unknown = await stripe.invoices
      .pay(invoice as string)
      .catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(refusal).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    expect((await stripe.invoices.retrieve(invoice as string)).attempt_count).toBe(1);
  });

  test('a cancelled subscription ends at the end of its period', async () => {
    const { sandbox, stripe, id, happened, read } = await subscribe();
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    sandbox.stripe.advance({ days: 6 });
    happened();

    sandbox.stripe.advance({ days: 1 });

    expect(happened()).toEqual(['customer.subscription.deleted']);
    expect(await read()).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'cancellation_requested' },
    });
  });
});

test('without a trial, a card that fails when charged is declined at once', async () => {
  const { outcome, sandbox } = await subscribe(FAILS_LATER, { subscription_data: {} });

  expect(outcome).toMatchObject({ kind: 'refused', field: 'cardNumber' });
  expect(sandbox.stripe.subscriptions.snapshot()).toEqual([]);
});

describe('controls', () => {
  test('the clock moves forward only', async () => {
    const { sandbox, read } = await subscribe();
    const move = (body: object) =>
      axios.post(`${sandbox.url}/_control/clock`, body, { validateStatus: () => true });

    const answers = [
      await move({ days: 7 }),
      await move({}),
      await move({ days: -1 }),
      await move({ day: 1 }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 422, 422, 422]);
    expect(answers[0]?.data).toEqual({ now: '2026-11-27T09:00:00.000Z' });
    expect((await read()).status).toBe('active');
  });

  test('webhooks arrive twice and in any order when asked to', async () => {
    const { sandbox } = await subscribe();
    const endpoint = await startWebhookEndpoint();
    sandbox.setWebhookUrl(endpoint.url);
    await axios.post(`${sandbox.url}/_control/payments`, { shuffle: true, duplicate: true });

    sandbox.stripe.advance({ days: 7 });
    await sandbox.stripe.webhooksSettled();

    const ids = endpoint.deliveries.map(({ body }) => JSON.parse(body.toString()).id);
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(5);
  });
});
