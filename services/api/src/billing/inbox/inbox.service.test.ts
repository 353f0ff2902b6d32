import { task } from '@site/platform/database/task';
import { storeLead } from '@site/testing/builders';
import { createDatabase } from '@site/platform/database/connect';
import { readStripeFailures } from '@site/platform/health/money-health';
import { OFFER } from '@site/schema/offer';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  eventOf,
  pay,
  payForMugs,
  priceOfMugs,
  sessionOf,
  test,
  unreachableDatabase,
} from '../../testing/shop.fixture.ts';
import { lockSubscription } from '../storing/subscription.repository.ts';

const EMAIL = 'Priya@acquirers.example';

const anEvent = (type: string, object: object, more: object = {}) => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  type,
  livemode: false,
  created: Math.floor(Date.now() / 1_000),
  data: { object },
  ...more,
});

test('a completed checkout is one subscription, however often it is delivered', async ({
  shop,
  sandbox,
  db,
}) => {
  const lead = await storeLead(db, { email: EMAIL });
  const { id, subscription } = await pay(shop, sandbox, { email: EMAIL, leadId: lead.id });
  const event = eventOf(sandbox, 'checkout.session.completed');

  const answers = [await shop.deliver(event), await shop.deliver(event)];

  expect(answers.map(({ status, body }) => [status, body.outcome])).toEqual([
    [200, 'applied'],
    [200, 'repeated'],
  ]);
  expect(await db('subscriptions')).toMatchObject([
    {
      email: EMAIL,
      leadId: lead.id,
      stripeSubscriptionId: subscription.id,
      stripeCustomerId: subscription.customer,
      stripeCheckoutSessionId: id,
      status: 'trialing',
      amountPence: OFFER.launchPricePence,
    },
  ]);
  expect(await db('stripe_events')).toMatchObject([
    { id: event.id, outcome: 'applied', failure: null, objectId: null },
  ]);
  expect(await db('leads')).toHaveLength(1);
});

test('the thank-you page and the webhook lead to the same rows, in any order', async ({
  shop,
  sandbox,
  db,
}) => {
  const { id } = await pay(shop, sandbox, { email: EMAIL });
  const event = eventOf(sandbox, 'checkout.session.completed');
  const created = eventOf(sandbox, 'customer.subscription.created');

  const [page, ...deliveries] = await Promise.all([
    shop.get(`/api/checkout/session/${id}`),
    ...[event, created, event, created].map((delivered) => shop.deliver(delivered)),
  ]);
  const again = await shop.get(`/api/checkout/session/${id}`);

  const outcomes = deliveries.map(({ body }) => body.outcome);
  expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(2);
  expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(2);
  expect(page.body.state).toBe('confirmed');
  expect(again.body).toEqual(page.body);
  const leads = await db('leads');
  expect(leads).toMatchObject([
    { email: EMAIL, formType: 'pre_buy', fullName: 'Priya Raman', beehiivStatus: 'pending' },
  ]);
  expect(await db('subscriptions')).toMatchObject([
    { leadId: leads[0].id, stripeCheckoutSessionId: id },
  ]);
});

test('a completed checkout is linked to a lead that came after it was opened', async ({
  shop,
  sandbox,
  db,
}) => {
  await pay(shop, sandbox, { email: EMAIL });
  const lead = await storeLead(db, {
    email: EMAIL.toLowerCase(),
    fullName: 'P. Raman',
    company: 'Raman & Co',
  });

  await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));

  expect(await db('leads')).toHaveLength(1);
  expect(await db('subscriptions')).toMatchObject([
    { leadId: lead.id, company: 'Raman & Co', name: 'Priya Raman' },
  ]);
});

test('a completed checkout releases the quarantined lead of the payer, and no other', async ({
  shop,
  sandbox,
  db,
}) => {
  const held = { beehiivStatus: 'failed', nextAttemptAt: null } as const;
  const lead = await storeLead(db, {
    email: EMAIL,
    ...held,
    quarantineReason: 'the hidden field was filled',
  });
  const refused = await storeLead(db, { email: EMAIL, ...held, formType: 'pre_sample' });
  await pay(shop, sandbox, { email: EMAIL, leadId: lead.id });

  await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));

  expect(await db('leads').where({ id: lead.id }).first()).toMatchObject({
    beehiivStatus: 'pending',
    quarantineReason: null,
    syncRound: 2,
  });
  expect(await db('leads').where({ id: refused.id }).first()).toMatchObject({
    beehiivStatus: 'failed',
  });
});

test('a completed upsell makes a lead with its source, and without consent', async ({
  shop,
  sandbox,
  db,
}) => {
  const { body } = await shop.post('/api/checkout/upsell', { plan: 'annual25', email: EMAIL });
  sandbox.stripe.completeCheckout(sessionOf(body.url), { email: EMAIL });

  await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));

  expect(await db('leads')).toMatchObject([
    {
      formType: 'pre_buy',
      utmSource: 'sample',
      utmMedium: 'page',
      utmCampaign: 'upsell',
      consentMarketing: false,
      consentTextVersion: null,
      consentTimestamp: null,
    },
  ]);
});

test('a completed checkout that is unpaid waits for the payment event', async ({
  shop,
  sandbox,
  db,
}) => {
  const { id } = await pay(shop, sandbox, { email: EMAIL });
  const { session } = sandbox.stripe.checkouts.find(id)!;
  session.payment_status = 'unpaid';
  const before = await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));
  expect(await db('subscriptions')).toEqual([]);
  session.payment_status = 'paid';

  const after = await shop.deliver(anEvent('checkout.session.async_payment_succeeded', { id }));

  expect([before.body.outcome, after.body.outcome]).toEqual(['ignored', 'applied']);
  expect(await db('subscriptions')).toHaveLength(1);
});

test('a changed subscription is read from Stripe, so a late event reverts nothing', async ({
  shop,
  sandbox,
  db,
}) => {
  const { subscription } = await pay(shop, sandbox, { email: EMAIL });
  const created = structuredClone(eventOf(sandbox, 'customer.subscription.created'));
  await shop.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
  await shop.deliver(eventOf(sandbox, 'customer.subscription.updated'));
  const [cancelling] = await db('subscriptions');
  await shop.stripe.subscriptions.cancel(subscription.id);
  await shop.deliver(eventOf(sandbox, 'customer.subscription.deleted'));

  await shop.deliver(created);

  expect(cancelling).toMatchObject({ status: 'trialing', cancelAt: cancelling.periodEndsAt });
  expect(await db('subscriptions')).toMatchObject([
    { id: cancelling.id, status: 'canceled', email: EMAIL },
  ]);
});

test('an event of another product is ignored at any price', async ({ shop, sandbox, db }) => {
  await payForMugs(shop, sandbox, EMAIL);

  const answers = [
    await shop.deliver(eventOf(sandbox, 'checkout.session.completed')),
    await shop.deliver(eventOf(sandbox, 'customer.subscription.created')),
  ];

  expect(answers.map(({ body }) => body.outcome)).toEqual(['ignored', 'ignored']);
  expect(await db('subscriptions')).toEqual([]);
  expect(await db('leads')).toEqual([]);
});

test('a subscription moved to another product ends here until it is moved back', async ({
  shop,
  sandbox,
  db,
}) => {
  const { subscription } = await pay(shop, sandbox, { email: EMAIL });
  await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));
  const [item] = subscription.items.data;
  const mugs = await priceOfMugs(shop, 'month');
  const moveTo = async (price: string) => {
    await shop.stripe.subscriptions.update(subscription.id, { items: [{ id: item!.id, price }] });
    const { body } = await shop.deliver(eventOf(sandbox, 'customer.subscription.updated'));
    return {
      outcome: body.outcome,
      row: await db('subscriptions').first(),
      tier: await db('people').whereNotNull('tier').first(),
    };
  };
  const ours = item!.price.id;

  const moved = await moveTo(mugs);
  const back = await moveTo(ours);

  expect(moved).toMatchObject({
    outcome: 'applied',
    row: { stage: 'ended', endedAt: expect.any(Date), email: EMAIL },
    tier: { tier: 'free' },
  });
  expect(back).toMatchObject({
    outcome: 'applied',
    row: { status: 'trialing', stage: 'trial', endedAt: null },
    tier: { tier: 'premium' },
  });
});

test('events of unused types are only recorded', async ({ shop, sandbox, db }) => {
  const before = sandbox.stripe.requests().length;

  const answer = await shop.deliver(anEvent('payout.paid', { object: 'payout' }));

  expect(answer).toMatchObject({ status: 200, body: { outcome: 'ignored' } });
  expect(await db('stripe_events')).toMatchObject([{ type: 'payout.paid', outcome: 'ignored' }]);
  expect(sandbox.stripe.requests()).toHaveLength(before);
});

test('events of the other mode (live or test) are ignored', async ({ shop, sandbox, db }) => {
  await pay(shop, sandbox, { email: EMAIL });

  const answer = await shop.deliver({
    ...eventOf(sandbox, 'checkout.session.completed'),
    livemode: true,
  });

  expect(answer.body.outcome).toBe('ignored');
  expect(await db('subscriptions')).toEqual([]);
});

test.for([
  ['a wrong secret', { secret: 'whsec_other' }],
  ['an age of over five minutes', { ageSeconds: 301 }],
] as const)('a delivery with %s is refused', async ([, options], { shop, sandbox, db }) => {
  await pay(shop, sandbox, { email: EMAIL });

  const answer = await shop.deliver(eventOf(sandbox, 'checkout.session.completed'), options);

  expect(answer).toMatchObject({ status: 400, body: { type: 'urn:problem:signature-invalid' } });
  expect(await db('stripe_events')).toEqual([]);
});

test('a delivery that is four minutes old is accepted', async ({ shop }) => {
  expect((await shop.deliver(anEvent('payout.paid', {}), { ageSeconds: 240 })).status).toBe(200);
});

test('a delivery without a signature, or with one of another body, is refused', async ({
  shop,
}) => {
  const signature = shop.stripe.webhooks.generateTestHeaderString({
    payload: '{}',
    secret: 'whsec_sandbox',
  });
  const event = anEvent('payout.paid', {});

  const unsigned = await shop.post('/api/stripe/webhook', event);
  const altered = await shop.post('/api/stripe/webhook', event, { 'Stripe-Signature': signature });
  const form = await shop.post('/api/stripe/webhook', event, {
    'Stripe-Signature': signature,
    'Content-Type': 'text/plain',
  });

  expect([unsigned.status, altered.status, form.status]).toEqual([400, 400, 400]);
});

test('three bad signatures without a good one raise a failure', async ({ shop, db }) => {
  const refuse = () => shop.deliver(anEvent('payout.paid', {}), { secret: 'whsec_other' });
  const aSecondLater = () =>
    task(db, 'stripe-signatures').update({ seenAt: db.raw(`now() - interval '2 seconds'`) });
  const failures = async () =>
    (await readStripeFailures(db)).find(({ failure }) => failure === 'stripe-signatures-refused')
      ?.count ?? 0;

  for (let n = 0; n < 2; n++) {
    await refuse();
    await refuse();
    await aSecondLater();
  }
  expect(await failures()).toBe(0);
  await refuse();
  expect(await failures()).toBe(3);

  expect((await shop.deliver(anEvent('payout.paid', {}))).status).toBe(200);
  expect(await failures()).toBe(0);
});

test('a failed event is parked with its ids alone, and applied at its redelivery', async ({
  shop,
  sandbox,
  db,
}) => {
  const { subscription } = await pay(shop, sandbox, { email: EMAIL });
  const { status } = subscription;
  const event = eventOf(sandbox, 'customer.subscription.created');
  Object.assign(subscription, { status: { of: 'another shape' } });

  const parked = await shop.deliver(event);
  const [row] = await db('stripe_events');
  Object.assign(subscription, { status });
  const applied = await shop.deliver(event);

  expect(parked).toMatchObject({ status: 200, body: { outcome: 'parked' } });
  expect(row).toMatchObject({ id: event.id, outcome: 'parked', objectId: subscription.id });
  expect(row.failure).toMatch(/^Its data has an unexpected format: .*status: Invalid input/);
  expect(applied.body.outcome).toBe('applied');
  expect(await db('stripe_events')).toMatchObject([
    { id: event.id, outcome: 'applied', objectId: null, failure: null },
  ]);
  expect(await db('subscriptions')).toMatchObject([{ amountPence: OFFER.launchPricePence }]);
});

test.for<[string, string]>([
  ['is not JSON', 'not json \0 at all'],
  ['is not an event', '{"hello":"world"}'],
  [
    'has an id that cannot be stored',
    '{"id":"evt_\\u0000","type":"x","livemode":false,"data":{"object":{}}}',
  ],
  [
    'has a type that cannot be stored',
    '{"id":"evt_1","type":"x\\u0000","livemode":false,"data":{"object":{}}}',
  ],
  ['is a thin event', '{"id":"evt_1","object":"v2.core.event","type":"x"}'],
])('a signed body that %s is parked once', async ([, body], { shop, db }) => {
  await shop.deliver(body);
  const answer = await shop.deliver(body);

  expect(answer).toMatchObject({ status: 200, body: { outcome: 'parked' } });
  const [row] = await db('stripe_events');
  expect(row).toMatchObject({ type: 'unreadable', objectId: null });
  expect(JSON.stringify(row)).not.toMatch(/hello|not json|thin/);
});

test.for([
  ['names no object', {}, 'Its data has an unexpected format: '],
  [
    'names an object unknown to Stripe',
    { id: 'sub_gone' },
    'Stripe did not return the object it is about (404 ',
  ],
] as const)(
  'a change that %s is parked, with the reason',
  async ([, object, failure], { shop, db }) => {
    const answer = await shop.deliver(anEvent('customer.subscription.updated', object));

    expect(answer).toMatchObject({ status: 200, body: { outcome: 'parked' } });
    expect(await db('stripe_events')).toMatchObject([
      { outcome: 'parked', failure: expect.stringContaining(failure) },
    ]);
  },
);

test.for([
  { mode: 'status', status: 500 },
  { mode: 'status', status: 401 },
  { mode: 'rate-limit' },
  { mode: 'before-reset' },
] as const)(
  'an event is left for redelivery while Stripe is unreachable ($mode $status)',
  async (failure, { shop, sandbox, db }) => {
    await pay(shop, sandbox, { email: EMAIL });
    const event = eventOf(sandbox, 'checkout.session.completed');
    sandbox.setFault({ target: 'stripe', ...failure });
    const during = await shop.deliver(event);
    const recorded = await db('stripe_events');
    sandbox.setFault({ target: 'stripe', mode: 'ok' });

    const after = await shop.deliver(event);

    expect(during).toMatchObject({ status: 503, body: { type: 'urn:problem:stripe-unavailable' } });
    expect(recorded).toEqual([]);
    expect(after.body.outcome).toBe('applied');
  },
);

test('an event is left for redelivery while Postgres is unreachable', async ({
  newShop,
  sandbox,
}) => {
  const shop = await newShop({ parts: { db: unreachableDatabase() } });
  await pay(shop, sandbox, { email: EMAIL });

  const answer = await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));

  expect(answer).toMatchObject({ status: 503, body: { type: 'urn:problem:database-unavailable' } });
});

test('an event whose subscription stays locked for too long is left for redelivery', async ({
  db,
  databaseUrl,
  newShop,
  sandbox,
  onTestFinished,
}) => {
  const impatient = createDatabase({ url: databaseUrl, statementTimeoutMs: 300 });
  onTestFinished(() => impatient.destroy());
  const shop = await newShop({ parts: { db: impatient } });
  const { subscription } = await pay(shop, sandbox, { email: EMAIL });
  const event = eventOf(sandbox, 'checkout.session.completed');

  const held = await db.transaction(async (trx) => {
    await lockSubscription(trx, subscription.id);
    return shop.deliver(event);
  });
  const recorded = await db('stripe_events');
  const free = await shop.deliver(event);

  expect(held).toMatchObject({ status: 503, body: { type: 'urn:problem:database-unavailable' } });
  expect(recorded).toEqual([]);
  expect(free.body.outcome).toBe('applied');
});

test('an event that lost a deadlock is left for redelivery', async ({ shop, sandbox, db }) => {
  await pay(shop, sandbox, { email: EMAIL });
  const event = eventOf(sandbox, 'customer.subscription.created');
  await db.raw(`create function lose() returns trigger language plpgsql as
    $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$;
    create trigger lose before insert on subscriptions execute function lose()`);
  const lost = await shop.deliver(event);
  const recorded = await db('stripe_events');
  await db.raw('drop function lose cascade');

  const again = await shop.deliver(event);

  expect(lost.status).toBe(500);
  expect(recorded).toEqual([]);
  expect(again.body.outcome).toBe('applied');
});

describe('an event, if the key lacks a permission', () => {
  const without = (permission: string) => ({
    settings: { STRIPE_SECRET_KEY: `rk_test_sandbox_without_${permission}` },
    isSetUp: false,
  });

  test('a missing permission parks the event, and an alert names the permission', async ({
    shop,
    newShop,
    sandbox,
    db,
  }) => {
    await pay(shop, sandbox, { email: EMAIL, cardNumber: '4000000000000259' });
    sandbox.stripe.advance({ days: 8 });
    const event = eventOf(sandbox, 'charge.dispute.created');
    const restricted = await newShop(without('dispute_read'));

    const answer = await restricted.deliver(event);

    expect(answer).toMatchObject({ status: 200, body: { outcome: 'parked' } });
    expect(await db('stripe_events')).toMatchObject([
      {
        missingPermission: 'rak_dispute_read',
        failure: 'The Stripe key lacks a permission: rak_dispute_read.',
      },
    ]);
    expect((await readStripeFailures(db)).filter(({ count }) => count > 0)).toMatchObject([
      { failure: 'stripe-permission-missing', count: 1, names: 'rak_dispute_read' },
    ]);
    expect((await shop.deliver(event)).body.outcome).toBe('applied');
    expect(
      (await readStripeFailures(db)).filter(
        ({ count, failure }) => count > 0 && failure.includes('permission'),
      ),
    ).toEqual([]);
  });
});
