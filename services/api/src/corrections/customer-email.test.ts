import { storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { toDelivery } from '../billing/inbox/stripe-event.ts';
import { takeDelivery } from '../billing/inbox/inbox.service.ts';
import { listMatters } from '../testing/attention.fixture.ts';
import { test, tiersOf } from '../testing/payer.fixture.ts';
import { sessionOf } from '../testing/shop.fixture.ts';

const TYPO = 'priya@raeder.example';
const RIGHT = 'Priya@Reader.example';

test('a subscription’s correction while Stripe is away leaves no lead behind', async ({
  subscribe,
  correctSubscription,
  sandbox,
  db,
}) => {
  const { subscription } = await subscribe(TYPO);
  await db('leads').delete();
  sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });

  const away = await correctSubscription(subscription.id, RIGHT);

  expect(away.status).toBe(503);
  expect(await db('leads')).toEqual([]);
});

test.for([
  ['the checkout’s event first', ['checkout.session.completed', 'customer.subscription.created']],
  [
    'the subscription’s event first',
    ['customer.subscription.created', 'checkout.session.completed'],
  ],
] as const)(
  'a correction holds for a checkout that was open then and is paid afterwards: %s',
  async ([, order], { shop, correct, open, sandbox, db }) => {
    const lead = await storeLead(db, { email: TYPO, beehiivStatus: 'sent' });
    const { id } = await open(TYPO, lead.id);
    const { json } = await correct(lead.id, RIGHT);
    expect(await db('checkouts')).toMatchObject([
      { state: 'open', emailNormalised: RIGHT.toLowerCase() },
    ]);
    const other = await open(RIGHT);
    // Delivered below, in order.
    sandbox.setApiUrl('http://127.0.0.1:1');
    sandbox.stripe.completeCheckout(id, { email: TYPO });

    for (const type of order) {
      const event = sandbox.stripe.events.newestFirst().find((each) => each.type === type);
      await takeDelivery(shop.deps, toDelivery(event, JSON.stringify(event), 'delivery'));
    }
    expect(await db('subscriptions')).toMatchObject([
      { email: 'Priya@reader.example', leadId: json.id },
    ]);
    expect(await db('checkouts').where({ stripeCheckoutSessionId: id })).toMatchObject([
      { email: 'Priya@reader.example', leadId: json.id },
    ]);
    expect(await tiersOf(db)).toEqual({ [RIGHT.toLowerCase()]: 'premium' });
    expect(await db('leads').pluck('id')).toEqual([lead.id]);
    // Stripe keeps the typed email, until an operator decides.
    expect(await db('changed_emails').pluck('customer_email')).toEqual([TYPO]);
    expect(sandbox.stripe.checkouts.find(other.id)?.session).toMatchObject({ status: 'expired' });
    expect((await open(RIGHT)).status).toBe(409);
    expect((await open(TYPO)).status).toBe(200);
  },
);

test('another person’s subscription of the mistyped email stays and is named', async ({
  subscribe,
  correct,
  correctSubscription,
  db,
}) => {
  const leigh = await subscribe(TYPO);
  await db('leads').update({ fullName: 'Leigh Raman' });
  const lee = await storeLead(db, { email: TYPO, fullName: 'Lee Raman' });

  const answer = await correct(lee.id, RIGHT);

  const { id: stripeSubscriptionId } = leigh.subscription;
  expect(answer).toMatchObject({
    status: 200,
    json: { stayed: [{ stripeSubscriptionId, email: TYPO }] },
  });
  await correctSubscription(stripeSubscriptionId, RIGHT);
  expect(await db('subscriptions')).toMatchObject([{ email: 'Priya@reader.example' }]);
});

describe('an email that somebody changed in Stripe', () => {
  const OTHER = 'raman@reader.example';
  const PAYER = RIGHT.toLowerCase();
  const changedTest = test.extend('changed', async ({
    shop,
    subscribe,
    correctSubscription,
    sandbox,
    headers,
  }) => {
    const { subscription } = await subscribe(PAYER);
    await shop.deps.stripe.customers.update(subscription.customer, { email: OTHER });
    await sandbox.stripe.webhooksSettled();
    return {
      ...subscription,
      list: async () =>
        (await listMatters(shop, headers)).filter(({ kind }) => kind === 'email-changed'),
      settle: (email: string) => correctSubscription(subscription.id, email),
      readEmail: () => sandbox.stripe.customers.find(subscription.customer)?.email,
    };
  });

  changedTest('it is stored and listed, and nothing else changes', async ({ changed, db }) => {
    expect(await changed.list()).toMatchObject([
      { email: PAYER, text: expect.stringContaining(OTHER) },
    ]);
    expect(await db('subscriptions')).toMatchObject([{ email: PAYER, customerEmail: OTHER }]);
    expect(await tiersOf(db)).toEqual({ [PAYER]: 'premium' });
  });

  changedTest('it can be accepted, which unsubscribes the old email', async ({ changed, db }) => {
    const { status } = await changed.settle(OTHER);

    expect(status).toBe(200);
    expect([await changed.list(), changed.readEmail()]).toEqual([[], OTHER]);
    expect(await tiersOf(db)).toEqual({ [PAYER]: 'free', [OTHER]: 'premium' });
    expect(await db('removal_requests')).toMatchObject([{ emailNormalised: PAYER }]);
  });
});

test('an older recovery link of the real owner pays for them', async ({
  shop,
  correct,
  sandbox,
  db,
}) => {
  const body = { plan: 'annual25', email: TYPO };
  const { json } = await shop.call('POST', '/api/checkout/upsell', { body });
  await shop.deps.stripe.checkout.sessions.expire(sessionOf(json.url));
  await sandbox.stripe.webhooksSettled();
  const { recoveryUrl } = await db('checkouts').first('recoveryUrl');
  await db('checkouts').update({ startedAt: db.raw(`now() - interval '10 days'`) });
  const lead = await storeLead(db, { email: TYPO, fullName: 'Priya', beehiivStatus: 'sent' });
  await correct(lead.id, RIGHT);
  await db('former_emails').update({ correctedAt: db.raw(`now() - interval '5 minutes'`) });

  await fetch(recoveryUrl, { redirect: 'manual' });
  const [recovered] = sandbox.stripe.checkouts.newestFirst();
  sandbox.stripe.completeCheckout(recovered!.id, { email: TYPO });
  await sandbox.stripe.webhooksSettled();

  expect(await db('subscriptions')).toMatchObject([{ email: TYPO }]);
});
