import { test as base } from '@site/testing/fixtures';
import { correctLead, countLockWaits, openTransaction, storeLead } from '@site/testing/builders';
import { query } from '@site/platform/database/query';
import { lockPeople } from '@site/platform/people/person';
import { systemClock } from '@site/platform/process/clock';
import { createLogger } from '@site/platform/process/logger';
import { describe, expect } from 'vitest';
import { v7 as newId } from 'uuid';
import type { CompleteCheckout } from '../reading/checkout-reading.ts';
import type { ChargeSnapshot, InvoiceSnapshot } from '../reading/payment-snapshots.ts';
import { toCheckoutReading, toReading } from '../reading/stripe-reading.ts';
import type { StripeReading } from '../reading/stripe-reading.ts';
import type { SubscriptionSnapshot } from '../reading/subscription-reading.ts';
import { storeFreeAccess } from '../../free-access/free-access.repository.ts';
import { lockSubscription, readDatabaseClock } from './subscription.repository.ts';
import { storeReading } from './store-reading.ts';

const test = base.extend('deps', ({ db }) => ({
  db,
  clock: systemClock,
  newId,
  log: createLogger({ service: 'api', level: 'silent' }),
  syncQueue: { wake: () => Promise.resolve() },
}));

type Deps = Parameters<typeof storeReading>[0];
const applyMoney = (
  deps: Deps,
  {
    subscription,
    invoice,
    ...rest
  }: Pick<StripeReading, 'charge' | 'dispute'> & {
    subscription: SubscriptionSnapshot;
    invoice?: InvoiceSnapshot;
  },
) =>
  storeReading(deps, [
    {
      ...toReading(subscription, subscription.stripeSubscriptionId, subscription.readAt),
      ...rest,
      invoices: invoice ? [invoice] : [],
    },
  ]);
const applyCheckout = (deps: Deps, checkout: CompleteCheckout) =>
  storeReading(deps, [toCheckoutReading(checkout)]);

const buildSnapshot = (given: Partial<SubscriptionSnapshot>): SubscriptionSnapshot => ({
  stripeSubscriptionId: 'sub_1',
  stripeCustomerId: 'cus_1',
  customerEmail: 'priya@acquirers.example',
  customerName: null,
  leadReference: null,
  isFromCheckout: true,
  status: 'active',
  plan: 'monthly',
  coupon: null,
  amountPence: 23_900,
  recurringPence: 23_900,
  startedAt: new Date(),
  trialEndsAt: null,
  periodEndsAt: new Date(),
  cancelAt: null,
  canceledAt: null,
  endedAt: null,
  cancellationFeedback: null,
  isCollectionPaused: false,
  latestInvoice: null,
  unreadParts: [],
  readAt: '2026-01-01T00:00:00Z',
  ...given,
});
const DISPUTE = {
  id: 'dp_1',
  amountPence: 23_900,
  currency: 'gbp',
  reason: 'fraudulent',
  status: 'needs_response',
  evidenceDueAt: null,
  openedAt: new Date(),
};
const buildInvoice = (given: Partial<InvoiceSnapshot>): InvoiceSnapshot => ({
  id: 'in_1',
  status: 'paid',
  number: null,
  pageUrl: null,
  totalPence: 23_900,
  paidPence: 23_900,
  remainingPence: 0,
  currency: 'gbp',
  taxPence: 0,
  country: null,
  attempts: 1,
  attempt: null,
  issuedAt: new Date(),
  paidAt: null,
  ...given,
});
const buildCharge = (refund: Partial<ChargeSnapshot['refunds'][number]>): ChargeSnapshot => ({
  id: 'ch_1',
  paymentIntentId: 'pi_1',
  invoiceId: 'in_1',
  refunds: [
    {
      id: 're_1',
      amountPence: 500,
      currency: 'gbp',
      status: 'succeeded',
      failureReason: null,
      refundedAt: new Date(),
      operatorRequest: null,
      ...refund,
    },
  ],
});
const HELD_BACK = {
  email: 'priya@acquirers.example',
  beehiivStatus: 'failed',
  beehiivResponse: 'quarantined: the hidden field was filled',
  quarantineReason: 'the hidden field was filled',
  nextAttemptAt: null,
} as const;
const buildCheckout = (subscription: SubscriptionSnapshot, id = 'cs_1') => ({
  id,
  state: 'complete' as const,
  createdAt: new Date(),
  email: 'priya@acquirers.example',
  name: 'Priya Raman',
  phone: null,
  leadReference: null,
  recoveredFrom: null,
  paidTodayPence: 0,
  vat: null,
  isUpsell: false,
  operatorRequest: null,
  endsAt: null,
  offer: null,
  readAt: subscription.readAt,
  subscription,
});

test('the time of a reading has microseconds', async ({ db }) => {
  const times = await Promise.all([1, 2, 3].map(() => readDatabaseClock(db)));

  expect(times).toContainEqual(expect.stringMatching(/\.\d{4,6}\+/));
});

describe('readings of subscriptions and payments', () => {
  test('an older reading never overwrites a newer one, to the microsecond', async ({
    deps,
    db,
  }) => {
    const newer = buildSnapshot({ status: 'canceled', readAt: '2026-01-01T00:00:00.000002Z' });
    const older = buildSnapshot({ status: 'active', readAt: '2026-01-01T00:00:00.000001Z' });

    await applyMoney(deps, { subscription: newer });
    await applyMoney(deps, { subscription: older });
    const afterOlder = await db('subscriptions').first();
    await applyMoney(deps, { subscription: { ...older, readAt: '2026-01-01T00:00:00.000003Z' } });

    expect(afterOlder).toMatchObject({ status: 'canceled' });
    expect(await db('subscriptions')).toMatchObject([{ id: afterOlder.id, status: 'active' }]);
  });

  test('a live subscription without an email is kept until it has one', async ({ deps, db }) => {
    const notReceiving = () =>
      query<{ reason: string }>(db, `select * from attention where kind = 'not-receiving'`);
    await applyMoney(deps, {
      subscription: buildSnapshot({ customerEmail: null, isFromCheckout: false }),
    });

    expect(await notReceiving()).toMatchObject([
      { email: null, stripeSubscriptionId: 'sub_1', leadId: null, reason: 'no-email' },
    ]);

    const readAt = '2026-02-01T00:00:00Z';
    await applyMoney(deps, { subscription: buildSnapshot({ isFromCheckout: false, readAt }) });
    expect(await db('subscriptions')).toMatchObject([
      { email: 'priya@acquirers.example', leadId: expect.any(String) },
    ]);
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tier: 'premium', mustActivate: true },
    ]);
    expect((await notReceiving()).filter(({ reason }) => reason === 'no-email')).toEqual([]);
  });

  test('the subscription of a deleted customer, who has no email, ends', async ({ deps, db }) => {
    await applyMoney(deps, { subscription: buildSnapshot({}) });

    const gone = { customerEmail: null, status: 'canceled', readAt: '2026-02-01T00:00:00Z' };
    await applyMoney(deps, { subscription: buildSnapshot(gone) });

    expect(await db('subscriptions')).toMatchObject([
      { email: 'priya@acquirers.example', stage: 'ended' },
    ]);
    expect(await db('people').whereNotNull('tier')).toMatchObject([{ tier: 'free' }]);
  });

  test('a refund and a dispute are stored before their invoice, and then add up', async ({
    deps,
    db,
  }) => {
    const reading = {
      subscription: buildSnapshot({ unreadParts: ['invoice'] }),
      charge: buildCharge({ amountPence: 23_900 }),
      dispute: DISPUTE,
    };

    await applyMoney(deps, reading);

    const paid = { stripeSubscriptionId: 'sub_1', stripeInvoiceId: 'in_1', stripeChargeId: 'ch_1' };
    expect(await db('stripe_refunds')).toMatchObject([{ ...paid, currency: 'gbp' }]);
    expect(await db('stripe_disputes')).toMatchObject([{ ...paid, currency: 'gbp' }]);
    const readAt = '2026-01-02T00:00:00Z';
    await applyMoney(deps, { subscription: buildSnapshot({ readAt }), invoice: buildInvoice({}) });
    expect(await db('stripe_invoices')).toMatchObject([
      { refundedPence: 23_900, isRefunded: true },
    ]);
  });

  test('transactions lock the same emails in one order', async ({ db }) => {
    const [first, second] = ['ada@reader.example', 'bob@reader.example'];
    const lock = (emails: string[]) => db.transaction((trx) => lockPeople(trx, emails));
    const blocker = await openTransaction(db);
    await lockPeople(blocker, [first]);

    const ends = [lock([first, second])];
    await expect.poll(() => countLockWaits(db)).toBe(1);
    ends.push(lock([second, first]));
    await expect.poll(() => countLockWaits(db)).toBe(2);
    await blocker.commit();

    expect(await Promise.all(ends)).toEqual([
      [first, second],
      [first, second],
    ]);
  });

  test.for(['subscription', 'checkout'])(
    'the reading of a %s locks the subscription before its email',
    async (of, { deps, db }) => {
      const subscription = buildSnapshot({});
      await applyMoney(deps, { subscription });
      const correction = await openTransaction(db);
      await lockSubscription(correction, 'sub_1');

      const reading =
        of === 'subscription'
          ? applyMoney(deps, { subscription })
          : applyCheckout(deps, buildCheckout(subscription));
      await expect.poll(() => countLockWaits(db)).toBe(1);
      await lockPeople(correction, ['priya@acquirers.example']);
      await correction.commit();

      await expect(reading).resolves.toBe('applied');
    },
  );

  test('an older reading does not end a subscription that was moved back', async ({ deps, db }) => {
    const subscription = buildSnapshot({ readAt: '2026-02-01T00:00:00Z' });
    await applyMoney(deps, { subscription });

    await storeReading(deps, [toReading('foreign', 'sub_1', '2026-01-01T00:00:00Z')]);

    expect(await db('subscriptions')).toMatchObject([{ status: 'active', endedAt: null }]);
  });
});

describe('readings of checkouts', () => {
  test('a checkout gives the subscription to the email that paid, even after a change', async ({
    deps,
    db,
  }) => {
    const subscription = buildSnapshot({ customerEmail: 'new@acquirers.example' });
    await applyMoney(deps, { subscription });

    await applyCheckout(deps, buildCheckout(subscription));

    expect(await db('subscriptions')).toMatchObject([{ email: 'priya@acquirers.example' }]);
    expect(await db('people').whereNotNull('tier').orderBy('emailNormalised')).toMatchObject([
      { emailNormalised: 'priya@acquirers.example', tier: 'premium' },
    ]);
  });

  test.for(['the change', 'the checkout'])(
    'a subscription keeps the email of its checkout, when %s arrives first',
    async (first, { deps, db }) => {
      const lead = await storeLead(db, { email: 'priya@acquirers.example' });
      const assistants = await storeLead(db, { email: 'assistant@acquirers.example' });
      const changed = { customerEmail: 'new@acquirers.example' };
      const own = buildSnapshot({ ...changed, leadReference: lead.id });
      const paidFor = buildSnapshot({
        ...changed,
        stripeSubscriptionId: 'sub_2',
        leadReference: assistants.id,
      });

      for (const [subscription, id] of [
        [own, 'cs_1'],
        [paidFor, 'cs_2'],
      ] as const) {
        const told = [
          () => applyMoney(deps, { subscription }),
          () =>
            applyCheckout(deps, {
              ...buildCheckout(subscription, id),
              leadReference: subscription.leadReference,
            }),
        ];
        for (const tell of first === 'the change' ? told : told.toReversed()) await tell();
      }

      expect(await db('subscriptions').where({ stripeSubscriptionId: 'sub_2' })).toMatchObject([
        { email: 'priya@acquirers.example', leadId: assistants.id },
      ]);
    },
  );

  test('a payer’s lead is stored even if the checkout cannot be', async ({ deps, db }) => {
    const checkout = buildCheckout(buildSnapshot({}));

    const unrecordable = { id: 'evt_\0', type: 'checkout.session.completed' };
    await expect(storeReading(deps, [toCheckoutReading(checkout)], unrecordable)).rejects.toThrow(
      'invalid byte sequence',
    );

    expect(await db('leads')).toMatchObject([{ email: 'priya@acquirers.example' }]);
  });

  test('an older reading does not end a checkout that was completed', async ({ deps, db }) => {
    const complete = buildCheckout(buildSnapshot({ readAt: '2026-02-01T00:00:00Z' }));
    await applyCheckout(deps, complete);

    const readAt = '2026-01-01T00:00:00Z';
    const checkout = { ...complete, state: 'expired', recovery: null, readAt } as const;
    await storeReading(deps, [toCheckoutReading(checkout)]);

    expect(await db('checkouts')).toMatchObject([{ state: 'complete' }]);
  });

  test('a checkout is linked even when its reading is the older one', async ({ deps, db }) => {
    await applyMoney(deps, {
      subscription: buildSnapshot({ status: 'canceled', readAt: '2026-02-01T00:00:00Z' }),
    });

    await applyCheckout(deps, buildCheckout(buildSnapshot({ status: 'active' })));

    expect(await db('subscriptions')).toMatchObject([
      {
        status: 'canceled',
        stripeCheckoutSessionId: 'cs_1',
        name: 'Priya Raman',
        leadId: expect.any(String),
      },
    ]);
  });

  test('a checkout of a corrected quarantined lead makes no lead for the mistyped email', async ({
    deps,
    db,
  }) => {
    const held = await storeLead(db, HELD_BACK);
    const email = 'other@acquirers.example';
    await correctLead(db, held, email);

    await applyCheckout(deps, { ...buildCheckout(buildSnapshot({})), leadReference: held.id });

    expect(await db('leads')).toMatchObject([{ id: held.id, email, beehiivStatus: 'pending' }]);
    expect(await db('subscriptions')).toMatchObject([{ email, leadId: held.id }]);
  });

  test('a late checkout event is linked to its own lead, not to a later one', async ({
    deps,
    db,
  }) => {
    const startedAt = new Date('2026-03-02T10:00:00Z');
    const hoursLater = (hours: number) => new Date(startedAt.getTime() + hours * 60 * 60_000);
    const email = 'priya@acquirers.example';
    const [led] = [
      await storeLead(db, { email, submittedAt: hoursLater(1) }),
      await storeLead(db, { email, submittedAt: hoursLater(60) }),
    ];

    await applyCheckout(deps, { ...buildCheckout(buildSnapshot({})), createdAt: startedAt });

    expect(await db('subscriptions')).toMatchObject([{ leadId: led.id }]);
    expect(await db('leads')).toHaveLength(2);
  });
});

test('a new subscription of a premium email asks for the newsletter once', async ({ db, deps }) => {
  const { email } = await storeLead(db, { email: 'press@acquirers.example' });
  await storeFreeAccess(db, {
    withSubscription: null,
    email,
    until: new Date(Date.now() + 86_400_000),
    operator: 'ada',
    isEnd: false,
    name: null,
    reason: null,
  });
  await db('people').whereNotNull('tier').update({ mustActivate: false, tierConfirmedVersion: 1 });

  await applyMoney(deps, {
    subscription: buildSnapshot({ customerEmail: email, status: 'trialing' }),
  });
  const afterPayment = await db('people').whereNotNull('tier');
  await db('people').whereNotNull('tier').update({ mustActivate: false, tierConfirmedVersion: 2 });
  const readAt = '2026-01-02T00:00:00Z';
  await applyMoney(deps, {
    subscription: buildSnapshot({ customerEmail: email, status: 'active', readAt }),
  });

  expect(afterPayment).toMatchObject([{ tier: 'premium', tierVersion: 2, mustActivate: true }]);
  expect(await db('people').whereNotNull('tier')).toMatchObject([
    { tierVersion: 2, mustActivate: false },
  ]);
});

test('two subscriptions of one email end at the same moment without a deadlock', async ({
  deps,
  db,
}) => {
  const subscriptions = [
    buildSnapshot({ startedAt: new Date('2026-01-01T00:00:00Z') }),
    buildSnapshot({ stripeSubscriptionId: 'sub_2', startedAt: new Date('2026-01-02T00:00:00Z') }),
  ];
  for (const subscription of subscriptions) await applyMoney(deps, { subscription });
  const blocker = await openTransaction(db);
  await lockPeople(blocker, ['priya@acquirers.example']);
  const ends: Promise<string>[] = [];
  for (const subscription of subscriptions) {
    const ended = { ...subscription, status: 'canceled', readAt: '2026-02-01T00:00:00Z' };
    ends.push(applyMoney(deps, { subscription: ended }));
    await expect.poll(() => countLockWaits(db)).toBe(ends.length);
  }
  const outcome = Promise.allSettled(ends);

  await blocker.commit();

  expect(await outcome).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  expect(await db('subscriptions').orderBy('startedAt')).toMatchObject([
    { status: 'canceled' },
    { status: 'canceled' },
  ]);
  expect(await db('people').whereNotNull('tier')).toMatchObject([{ tier: 'free', tierVersion: 2 }]);
});
