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
} from '../testing/fixtures.ts';

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
