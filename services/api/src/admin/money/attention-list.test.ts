import { storeLead, storePerson } from '@site/testing/builders';
import { expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';
import { listMatters } from '../../testing/attention.fixture.ts';
import { parkEvent } from '../../billing/storing/event.repository.ts';
import {
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';
import { listAttention } from './attention-list.ts';

const NOW = new Date();

test('money is shown by stage of subscription, beside the items that need attention', async ({
  api,
  operator,
}) => {
  const { headers } = operator;
  const { db } = api.deps;
  const lead = await storeLead(db, { utmSource: 'top_sub' });
  const first = await storeSubscription(db, { leadId: lead.id, startedAt: new Date(0) });
  const second = await storeSubscription(db, { status: 'trialing', startedAt: NOW });
  await storeSubscription(db, { email: 'late@acquirers.example', status: 'past_due' });
  const parked = {
    type: 'invoice.paid',
    outcome: 'parked',
    failure: 'unexpected shape',
  };
  await db('stripe_events').insert({ id: 'evt_1', ...parked });
  const paid = await storeInvoice(db, {
    stripeSubscriptionId: first,
    refundedPence: 500,
    issuedAt: NOW,
  });
  for (const status of ['needs_response', 'won', 'prevented'])
    await storeDispute(db, paid, { id: `dp_${status}`, status, openedAt: NOW });
  const failed = { status: 'failed', failureReason: 'lost_or_stolen_card' };
  await storeRefund(db, paid, { id: 're_failed', amountPence: 500, ...failed });
  await storeRefund(db, paid, { amountPence: 500 });
  await storePerson(db, {
    emailNormalised: 'priya@acquirers.example',
    tier: 'premium',
  });

  const { json } = await operator.get('money');
  const matters = await listMatters(api, headers);

  // One email with three live subscriptions, whose lead is still to come.
  const href = `/admin-leads?view=person&id=${lead.id}`;
  const dashboard = 'https://dashboard.stripe.com/test';
  expect(matters).toMatchObject([
    {
      kind: 'disputes-open',
      amount: { pence: 23_900, currency: 'gbp' },
      since: NOW.toISOString(),
      href: `${dashboard}/disputes/dp_needs_response`,
      action: 'Answer in Stripe',
      review: null,
    },
    {
      kind: 'refunds-failed',
      amount: { pence: 500, currency: 'gbp' },
      href,
      review: { kind: 'refunds', id: 're_failed' },
    },
    { kind: 'unsettled', review: { kind: 'subscriptions' } },
    {
      kind: 'second-live',
      since: NOW.toISOString(),
      href: `${dashboard}/subscriptions/${second}`,
      other: { href: `${dashboard}/subscriptions/${first}` },
      review: { kind: 'second-subscriptions', id: second },
    },
    {
      kind: 'events-parked',
      email: null,
      text: expect.stringContaining('invoice.paid: unexpected shape'),
      href: `${dashboard}/events/evt_1`,
      review: { kind: 'parked', id: 'evt_1' },
    },
  ]);
  expect(json).toMatchObject({
    stages: { trial: 1, paying: 1, ending: 0, dunning: 1, suspended: 0, ended: 0, incomplete: 0 },
    prices: [{ plan: 'monthly', price: 23_900, count: 2, pence: 47_800 }],
    mrr: { count: 2, pence: 47_800 },
    dashboardUrl: 'https://dashboard.stripe.com/test',
  });
});

test('a payment needs attention once its first retry failed, with the reason', async ({ api }) => {
  const { db } = api.deps;
  const headers = await api.logIn();
  const nextPaymentAttemptAt = new Date('2026-08-03T12:00:00Z');
  const stripeSubscriptionId = await storeSubscription(db, {
    status: 'past_due',
    paymentAttempts: 1,
    nextPaymentAttemptAt,
    latestInvoiceId: 'in_1',
  });
  await storeInvoice(db, {
    id: 'in_1',
    stripeSubscriptionId,
    status: 'open',
    paidPence: 0,
    remainingPence: 23_900,
    attempts: 2,
    declineCode: 'expired_card',
    cardBrand: 'visa',
    cardLast4: '0341',
  });
  expect(await listMatters(api, headers)).toEqual([]);

  await db('subscriptions').update({ paymentAttempts: 2 });

  expect(await listMatters(api, headers)).toMatchObject([
    {
      kind: 'payment-failed',
      title: 'Payment failed',
      text: 'Visa ending 0341: the card has expired. Stripe tries again on Monday 3 August.',
      amount: { pence: 23_900, currency: 'gbp' },
    },
  ]);
});

test('what stops everybody comes first, with what the owner can do', async ({ api }) => {
  const { db, settings } = api.deps;
  await storeDispute(
    db,
    await storeInvoice(db, {
      stripeSubscriptionId: await storeSubscription(db),
    }),
  );
  const found = [
    { kind: 'pending-too-long', text: 'The oldest lead has been pending for 22 minutes.' },
    { kind: 'redis-unavailable', text: 'Redis does not answer. Leads are stored.' },
    { kind: 'no-worker', text: 'No worker is running.' },
    { kind: 'stripe-unavailable', text: 'Nobody can subscribe: Stripe answered 503.' },
    { kind: 'backup-failing', text: 'No good backup for 26 hours.' },
  ] as const;

  const { items } = await listAttention(
    db,
    settings,
    found.map((each) => ({ ...each, since: NOW })),
  );

  expect(items.map(({ kind }) => kind).filter((kind) => kind !== 'offer')).toEqual([
    'stripe-unavailable',
    'no-worker',
    'redis-unavailable',
    'disputes-open',
    'backup-failing',
  ]);
  expect(items[0]).toMatchObject({
    title: 'Nobody can subscribe: Stripe answered 503',
    text:
      'Look at status.stripe.com. If Stripe works, ask your engineer: ' +
      'docs/alerts/stripe-unavailable.md. Stripe is asked again, and checkouts open when it works ' +
      'again.',
  });
});

test('many items of one kind hide no other kind', async ({ api, operator }) => {
  const { db } = api.deps;
  const paid = await storeInvoice(db, { stripeSubscriptionId: await storeSubscription(db) });
  for (let n = 0; n < 51; n += 1) await storeRefund(db, paid, { status: 'failed' });
  const parked = { type: 'invoice.paid', outcome: 'parked', failure: 'unexpected shape' };
  await db('stripe_events').insert({ id: 'evt_1', ...parked });

  const { json } = await operator.get('attention');

  const kinds = json.items.map(({ kind }: { kind: string }) => kind);
  expect(kinds.filter((kind: string) => kind === 'refunds-failed')).toHaveLength(50);
  expect(kinds).toContain('events-parked');
  expect(json.count).toBe(json.items.length + 1);
});

test('two subscriptions of one email are one item, reviewed until another is second', async ({
  api,
  operator,
}) => {
  const { headers } = operator;
  const { db } = api.deps;
  const startedAt = (day: number) => ({ startedAt: new Date(Date.UTC(2026, 0, day)) });
  const first = await storeSubscription(db, startedAt(1));
  const second = await storeSubscription(db, startedAt(2));
  const listed = async () =>
    (await listMatters(api, headers)).flatMap(({ kind, review: of }) =>
      kind === 'second-live' ? (of?.id ?? []) : [],
    );
  const review = async (id: string) =>
    (await operator.post(`money/second-subscriptions/${id}/review`)).status;

  const answers = [
    await review(second),
    await review(second),
    await review(first),
    await review('sub_unknown'),
  ];
  const afterReview = await listed();
  await db('subscriptions').where({ stripeSubscriptionId: first }).update({ status: 'canceled' });
  const another = await storeSubscription(db, startedAt(3));
  const withAnother = await listed();
  await db('subscriptions').where({ stripeSubscriptionId: first }).update({ status: 'active' });

  expect(answers).toEqual([204, 204, 404, 404]);
  expect(afterReview).toEqual([]);
  expect(withAnother).toEqual([another]);
  expect(await listed()).toEqual([another]);
  // A subscription that will end needs no review.
  await db('subscriptions')
    .where({ stripeSubscriptionId: another })
    .update({ cancelAt: new Date('2026-02-03') });
  expect(await listed()).toEqual([]);
  expect(await db('operator_actions').where({ action: 'review-second' })).toMatchObject([
    { operator: OPERATOR.username, subject: second, at: expect.any(Date) },
  ]);
});

test('a reviewed parked event is shown again only if it is parked for another failure', async ({
  api,
  operator,
}) => {
  const { headers } = operator;
  const { db } = api.deps;
  const parked = { id: 'evt_1', type: 'invoice.paid' };
  await parkEvent(db, parked, null, 'unexpected shape');
  await db('stripe_events').insert({ id: 'evt_2', type: 'invoice.paid', outcome: 'applied' });
  const listed = async () =>
    (await listMatters(api, headers)).map(({ review: of, text }) => [of?.id, text]);
  const review = async (id: string) => (await operator.post(`money/parked/${id}/review`)).status;

  const answers = [
    await review('evt_1'),
    await review('evt_1'),
    await review('evt_2'),
    await review('evt_3'),
  ];
  await parkEvent(db, parked, null, 'unexpected shape');
  const afterSameFailure = await listed();
  await parkEvent(db, parked, null, 'resource_missing');

  expect(answers).toEqual([204, 204, 404, 404]);
  expect(afterSameFailure).toEqual([]);
  expect(await listed()).toEqual([
    ['evt_1', expect.stringContaining('invoice.paid: resource_missing')],
  ]);
  expect(await db('operator_actions').where({ action: 'review-stripe-event' })).toMatchObject([
    { operator: OPERATOR.username, subject: 'evt_1', at: expect.any(Date) },
  ]);
});

test('a review is taken back, once on record', async ({ api, db }) => {
  const headers = await api.logIn();
  await storeSubscription(db, { startedAt: new Date(0) });
  const second = await storeSubscription(db, { startedAt: NOW });
  await db('stripe_events').insert({
    id: 'evt_1',
    type: 'invoice.paid',
    outcome: 'parked',
    failure: 'unexpected shape',
  });
  const listed = async () =>
    (await listMatters(api, headers)).flatMap(({ review: of }) => of?.id ?? []);
  const both = [`second-subscriptions/${second}`, 'parked/evt_1'];
  const ask = async (method: 'POST' | 'DELETE', item: string) =>
    (await api.call(method, `/api/admin/money/${item}/review`, { headers })).status;
  const before = await listed();

  for (const item of both) expect(await ask('POST', item)).toBe(204);
  expect(await listed()).toEqual([]);
  for (const item of [...both, ...both]) expect(await ask('DELETE', item)).toBe(204);

  expect(await ask('DELETE', 'parked/evt_2')).toBe(404);
  expect(await listed()).toEqual(before);
  expect(
    await db('operator_actions').where({ action: 'review-undone' }).orderBy('id').pluck('subject'),
  ).toEqual([second, 'evt_1']);
});

test('production names the settings of which visitors see an example', async ({ api, db }) => {
  const { settings } = api.deps;
  const read = async (given: object) =>
    (await listAttention(db, { ...settings, ...given }, [])).items.filter(
      ({ kind }) => kind === 'set-up',
    );
  const set = { termsUrl: 'https://owner.example/terms', supportEmail: 'a@owner.example' };

  expect(await read({})).toEqual([]);
  expect(await read({ isProduction: true, site: { ...settings.site, ...set } })).toMatchObject([
    {
      title: 'Not set up',
      text: expect.stringMatching(/: TRADER_NAME, TRADER_ADDRESS, PRIVACY_URL\.$/),
    },
  ]);
});
