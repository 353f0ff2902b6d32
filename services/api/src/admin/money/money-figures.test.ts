import { MONEY_FIGURE_NAMES } from '@site/schema/calls/money-figures';
import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeSubscription } from '../../testing/subscription.fixture.ts';

/** A Wednesday in summer: London is an hour ahead of UTC. */
const NOW = new Date('2026-07-15T12:00:00Z');
const at = (text: string) => new Date(text);

type Paid = { stripeSubscriptionId: string; stripeInvoiceId: string; stripeChargeId: string };
type Payment = { id?: string; subscription: string; pence: number; paidAt: string };

async function pay(
  db: Database,
  { id = randomUUID(), subscription, pence, paidAt }: Payment,
  given: object = {},
): Promise<Paid> {
  await db('stripe_invoices').insert({
    id: `in_${id}`,
    stripeSubscriptionId: subscription,
    status: 'paid',
    totalPence: pence,
    paidPence: pence,
    attempts: 1,
    issuedAt: at(paidAt),
    paidAt: at(paidAt),
    currency: 'gbp',
    snapshotAt: NOW,
    ...given,
  });
  return {
    stripeSubscriptionId: subscription,
    stripeInvoiceId: `in_${id}`,
    stripeChargeId: `ch_${id}`,
  };
}

const refund = (db: Database, paid: Paid, pence: number, refundedAt: string, given: object = {}) =>
  db('stripe_refunds').insert({
    id: `re_${randomUUID()}`,
    ...paid,
    amountPence: pence,
    currency: 'gbp',
    status: 'succeeded',
    refundedAt: at(refundedAt),
    snapshotAt: NOW,
    ...given,
  });

const dispute = (db: Database, paid: Paid, given: object) =>
  db('stripe_disputes').insert({
    ...paid,
    amountPence: 900,
    currency: 'gbp',
    reason: 'fraudulent',
    status: 'needs_response',
    openedAt: at('2026-07-05T09:00:00Z'),
    snapshotAt: NOW,
    ...given,
  });

const idsOf = (json: { people: { stripeSubscriptionId: string }[] }) =>
  json.people.map(({ stripeSubscriptionId }) => stripeSubscriptionId);

const JULY = 'startDate=2026-07-01&endDate=2026-07-14';

describe('GET /api/admin/money/figures', () => {
  test('each figure counts and adds up exactly the rows that its list shows', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const soon = {
      trialEndsAt: at('2026-07-20T09:00:00Z'),
      periodEndsAt: at('2026-07-20T09:00:00Z'),
    };
    for (let n = 0; n < 3; n++) {
      const email = `payer${n}@acquirers.example`;
      const firstPaidAt = at('2026-07-02T09:00:00Z');
      const subscription = await storeSubscription(db, {
        ...soon,
        email,
        firstPaidAt,
        amountPence: 10_000 + n,
      });
      await storeSubscription(db, {
        ...soon,
        status: 'trialing',
        email: `trial${n}@acquirers.example`,
      });
      await storeSubscription(db, {
        isCollectionPaused: true,
        email: `paused${n}@acquirers.example`,
      });
      const left = { email: `left${n}@acquirers.example`, firstPaidAt: at('2026-05-01T09:00:00Z') };
      await storeSubscription(db, {
        ...left,
        status: 'canceled',
        endedAt: at('2026-07-03T09:00:00Z'),
      });
      const charge = await pay(db, { subscription, pence: 10_000, paidAt: '2026-07-02T09:00:00Z' });
      await pay(
        db,
        { subscription, pence: 10_000, paidAt: '2026-07-02T09:00:00Z' },
        { attempts: 2 },
      );
      await refund(db, charge, 100, '2026-07-04T09:00:00Z');
      await refund(db, charge, 100, '2026-07-04T09:00:00Z');
      await dispute(db, charge, { id: `dp_${n}`, status: 'lost' });
      const ended = {
        canceledAt: at('2026-07-06T09:00:00Z'),
        trialEndsAt: at('2026-07-07T09:00:00Z'),
      };
      await storeSubscription(db, {
        ...ended,
        status: 'canceled',
        email: `tried${n}@acquirers.example`,
      });
      for (const [status, more] of [
        ['canceled', { endedAt: at('2026-07-08T09:00:00Z') }],
        ['past_due', { nextPaymentAttemptAt: at('2026-07-18T09:00:00Z') }],
      ] as const) {
        const latestInvoiceId = `in_${status}${n}`;
        const late = { status, latestInvoiceId, email: `${status}${n}@acquirers.example`, ...more };
        const owing = {
          id: `${status}${n}`,
          subscription: await storeSubscription(db, late),
          pence: 10_000,
        };
        const failed = { status: 'open', paidPence: 0, paidAt: null };
        await pay(db, { ...owing, paidAt: '2026-07-05T09:00:00Z' }, failed);
      }
    }
    const july = 'startDate=2026-07-01&endDate=2026-07-31';

    const { json } = await api.call('GET', `/api/admin/money/figures?${july}`, { headers });

    expect(Object.keys(json.figures)).toEqual(MONEY_FIGURE_NAMES);
    for (const of of MONEY_FIGURE_NAMES) {
      const list = await api.call('GET', `/api/admin/money/people?of=${of}&${july}`, { headers });
      const pence = list.json.people.reduce(
        (sum: number, person: { pence: number }) => sum + person.pence,
        0,
      );
      expect({ of, count: list.json.people.length, pence }).toEqual({ of, ...json.figures[of] });
      expect(list.json.total).toEqual(json.figures[of]);
      expect(json.figures[of].count).toBeGreaterThanOrEqual(3);
    }
  });

  test('figures add up pounds alone, and name what they leave out', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const subscription = await storeSubscription(db);
    await storeSubscription(db, { amountPence: 0, unreadParts: ['price'] });
    const when = { subscription, paidAt: '2026-07-10T09:00:00Z' };
    await pay(db, { pence: 10_000, ...when });
    await pay(db, { pence: 23_900, ...when }, { taxPence: 3_983 });
    const inDollars = { currency: 'usd' };
    const dollars = await pay(db, { pence: 5_000, ...when }, { ...inDollars, taxPence: 0 });
    await refund(db, dollars, 2_000, '2026-07-11T09:00:00Z', inDollars);

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    const payments = await api.call('GET', '/api/admin/money/people?of=payments', { headers });

    expect(json).toMatchObject({
      figures: { payments: { count: 2, pence: 33_900 }, refunded: { count: 0, pence: 0 } },
      vat: { pence: 3_983, unknown: 1 },
      leftOut: {
        currencies: [{ currency: 'usd', paidPence: 5_000, refundedPence: 2_000 }],
        subscriptions: 1,
      },
    });
    expect(payments.json.people.map(({ pence }: { pence: number }) => pence).toSorted()).toEqual([
      10_000, 23_900,
    ]);
  });

  test('MRR is what active and past-due subscriptions bring in a month, without trials', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const monthly = await storeSubscription(db, { amountPence: 23_900 });
    const annual = await storeSubscription(db, { plan: 'annual', amountPence: 215_100 });
    // £100 a year is £8.33⅓ a month, and three of them are £25.
    for (let n = 0; n < 3; n++)
      await storeSubscription(db, { plan: 'annual', amountPence: 10_000 });
    const late = await storeSubscription(db, { status: 'past_due', amountPence: 20_315 });
    // A discount for one month does not lower it, a lasting one does.
    const once = await storeSubscription(db, { amountPence: 0, recurringPence: 23_900 });
    const ending = await storeSubscription(db, {
      amountPence: 23_900,
      cancelAt: at('2026-08-01T00:00:00Z'),
    });
    await storeSubscription(db, { amountPence: 0, recurringPence: 0 });
    for (const status of ['trialing', 'unpaid', 'paused', 'canceled', 'incomplete']) {
      await storeSubscription(db, { status });
    }

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    const people = await api.call('GET', '/api/admin/money/people?of=mrr', { headers });

    // 239.00 + 179.25 + 25.00 + 203.15 + 239.00 + 239.00
    expect(json.figures.mrr).toEqual({ count: 8, pence: 112_440 });
    expect(idsOf(people.json)).toEqual(
      expect.arrayContaining([monthly, annual, late, once, ending]),
    );
    expect(people.json.people).toHaveLength(8);
    expect(
      people.json.people.find((row: { plan: string; pence: number }) => row.pence === 17_925),
    ).toMatchObject({
      stripeSubscriptionId: annual,
      dashboardUrl: `https://dashboard.stripe.com/test/subscriptions/${annual}`,
    });
  });

  test('a subscription whose collection is paused is not in MRR, and has a figure of its own', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    await storeSubscription(db, { amountPence: 23_900 });
    const paused = await storeSubscription(db, { amountPence: 20_315, isCollectionPaused: true });
    await storeSubscription(db, { status: 'trialing', isCollectionPaused: true });

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    const people = await api.call('GET', '/api/admin/money/people?of=paused', { headers });

    expect(json.figures).toMatchObject({
      mrr: { count: 1, pence: 23_900 },
      paused: { count: 1, pence: 20_315 },
    });
    expect(idsOf(people.json)).toEqual([paused]);
  });

  test('those who make the MRR are listed by plan and price, and each price opens them', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    await storeSubscription(db);
    await storeSubscription(db, { amountPence: 0, recurringPence: 23_900 });
    // £100 a year is £8.33⅓ a month, and three of them are £25.
    for (let n = 0; n < 3; n++)
      await storeSubscription(db, { plan: 'annual', amountPence: 10_000 });
    await storeSubscription(db, { status: 'trialing' });

    const { json } = await api.call('GET', '/api/admin/money', { headers });

    expect(json.mrr).toEqual({ count: 5, pence: 50_300 });
    expect(json.prices).toEqual([
      { plan: 'monthly', price: 23_900, count: 2, pence: 47_800 },
      { plan: 'annual', price: 10_000, count: 3, pence: 2_500 },
    ]);
    for (const { plan, price, count, pence } of json.prices) {
      const query = `of=mrr&plan=${plan}&price=${price}`;
      const list = await api.call('GET', `/api/admin/money/people?${query}`, { headers });
      expect(list.json.people).toHaveLength(count);
      expect(list.json.total).toEqual({ count, pence });
    }
  });

  test('the figures expect renewals and ends of trials from now to the end of the period', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const ends = at('2026-07-20T09:00:00Z');
    const trial = await storeSubscription(db, { status: 'trialing', trialEndsAt: ends });
    // 23:00 UTC is midnight in London.
    const last = { plan: 'annual', amountPence: 215_100, periodEndsAt: at('2026-07-31T22:59:59Z') };
    const [renewal, late] = [
      await storeSubscription(db, { periodEndsAt: ends, cancelAt: at('2026-08-20T09:00:00Z') }),
      await storeSubscription(db, last),
    ];
    await storeSubscription(db, { periodEndsAt: at('2026-07-31T23:00:00Z') });
    await storeSubscription(db, { periodEndsAt: at('2026-07-15T11:59:59Z') });
    await storeSubscription(db, { status: 'trialing', trialEndsAt: at('2026-07-15T11:59:59Z') });
    await storeSubscription(db, { periodEndsAt: ends, cancelAt: ends });
    await storeSubscription(db, { status: 'trialing', trialEndsAt: ends, cancelAt: ends });
    await storeSubscription(db, { periodEndsAt: ends, isCollectionPaused: true });
    await storeSubscription(db, { periodEndsAt: ends, amountPence: 0 });
    await storeSubscription(db, { status: 'canceled', periodEndsAt: ends });
    const month = 'startDate=2026-07-01&endDate=2026-07-31';

    const { json } = await api.call('GET', `/api/admin/money/figures?${month}`, { headers });
    const renewals = await api.call('GET', `/api/admin/money/people?of=renewals-due&${month}`, {
      headers,
    });
    const trials = await api.call('GET', `/api/admin/money/people?of=trials-due&${month}`, {
      headers,
    });
    const past = await api.call('GET', `/api/admin/money/figures?${JULY}`, { headers });

    expect(json.figures).toMatchObject({
      'renewals-due': { count: 2, pence: 239_000 },
      'trials-due': { count: 1, pence: 23_900 },
    });
    expect([idsOf(renewals.json), idsOf(trials.json)]).toEqual([[renewal, late], [trial]]);
    expect(past.json.figures).toMatchObject({
      'renewals-due': { count: 0 },
      'trials-due': { count: 0 },
    });
  });

  test('payments, refunds and lost disputes count in the period, each at its own time', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const subscription = await storeSubscription(db);
    const early = await pay(db, { subscription, pence: 100, paidAt: '2026-06-30T22:59:59Z' });
    await pay(db, { subscription, pence: 23_900, paidAt: '2026-06-30T23:00:00Z' });
    await pay(db, { subscription, pence: 20_315, paidAt: '2026-07-14T22:59:59Z' });
    await pay(db, { subscription, pence: 100, paidAt: '2026-07-14T23:00:00Z' });
    await pay(db, { subscription, pence: 0, paidAt: '2026-07-10T09:00:00Z' });
    await refund(db, early, 3_900, '2026-07-02T09:00:00Z');
    await refund(db, early, 1_000, '2026-07-03T09:00:00Z', { status: 'pending' });
    await refund(db, early, 5_000, '2026-07-03T09:00:00Z', { status: 'failed' });
    await refund(db, early, 2_000, '2026-07-15T09:00:00Z');
    await dispute(db, early, { id: 'dp_lost', amountPence: 700, status: 'lost' });
    await dispute(db, early, { id: 'dp_won', status: 'won' });
    await dispute(db, early, {
      id: 'dp_later',
      status: 'lost',
      openedAt: at('2026-07-15T09:00:00Z'),
    });

    const { json } = await api.call('GET', `/api/admin/money/figures?${JULY}`, { headers });
    const payments = await api.call('GET', `/api/admin/money/people?of=payments&${JULY}`, {
      headers,
    });
    await dispute(db, early, { id: 'dp_open' });
    await dispute(db, early, { id: 'dp_inquiry', status: 'warning_needs_response' });
    const held = await api.call('GET', `/api/admin/money/figures`, { headers });
    const disputed = await api.call('GET', `/api/admin/money/people?of=payments&${JULY}`, {
      headers,
    });

    expect(json.figures).toMatchObject({
      payments: { count: 2, pence: 44_215 },
      refunded: { count: 2, pence: 4_900 },
      lost: { count: 1, pence: 700 },
    });
    expect(payments.json.people).toMatchObject([
      { pence: 20_315, at: '2026-07-14T22:59:59.000Z', stage: 'unsettled' },
      { pence: 23_900, at: '2026-06-30T23:00:00.000Z', stage: 'unsettled' },
    ]);
    expect([json.heldPence, held.json.heldPence]).toEqual([0, 900]);
    expect(disputed.json.people).toMatchObject([{ stage: 'disputed' }, { stage: 'disputed' }]);
  });

  test('a payer is an address: new once, and cancelled when the last subscription has ended', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    let payers = 0;
    const payer = (firstPaidAt: string, endedAt?: string, more = {}) =>
      storeSubscription(db, {
        email: `payer${(payers += 1)}@acquirers.example`,
        firstPaidAt: at(firstPaidAt),
        startedAt: at(firstPaidAt),
        ...(endedAt && { status: 'canceled', endedAt: at(endedAt) }),
        ...more,
      });
    await payer('2026-05-01T09:00:00Z');
    const first = await payer('2026-05-01T09:00:00Z', '2026-06-30T23:00:00Z', {
      plan: 'annual',
      amountPence: 215_100,
    });
    await payer('2026-05-01T09:00:00Z', '2026-06-30T22:59:59Z');
    const joinedAndLeft = await payer('2026-07-02T09:00:00Z', '2026-07-14T22:59:59Z');
    const joined = await payer('2026-07-03T09:00:00Z');
    await payer('2026-05-01T09:00:00Z', '2026-07-14T23:00:00Z');
    // A change of plan is neither.
    await payer('2026-05-02T09:00:00Z', '2026-07-05T09:00:00Z', {
      email: 'moved@acquirers.example',
    });
    await payer('2026-07-05T09:00:00Z', undefined, { email: 'moved@acquirers.example' });
    // A trial that ended without a payment is no cancellation.
    await storeSubscription(db, { status: 'canceled', endedAt: at('2026-07-10T09:00:00Z') });

    const { json } = await api.call('GET', `/api/admin/money/figures?${JULY}`, { headers });
    const left = await api.call('GET', `/api/admin/money/people?of=cancelled&${JULY}`, { headers });
    const came = await api.call('GET', `/api/admin/money/people?of=new-payers&${JULY}`, {
      headers,
    });

    expect(json.figures.cancelled).toEqual({ count: 2, pence: 17_925 + 23_900 });
    expect(idsOf(left.json)).toEqual([joinedAndLeft, first]);
    expect(idsOf(came.json)).toEqual([joined, joinedAndLeft]);
  });
});

describe('GET /api/admin/money/people', () => {
  test('a figure’s people are listed page by page without a gap, those without a date last', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    const periodEndsAt = (n: number) =>
      n < 10 ? {} : { periodEndsAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(n / 3))) };
    const stored: string[] = [];
    for (let n = 0; n < 120; n++) {
      const subscription = await storeSubscription(db, periodEndsAt(n));
      stored.push(subscription);
      await pay(db, { subscription, pence: 100, paidAt: `2026-01-${10 + (n % 9)}T09:00:00Z` });
    }

    const listAll = async (of: string) => {
      const listed: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { json } = await api.call(
          'GET',
          `/api/admin/money/people?of=${of}&cursor=${cursor}`,
          { headers },
        );
        listed.push(...idsOf(json));
        cursor = json.nextCursor;
      }
      return listed;
    };
    const paying = await listAll('paying');

    expect(paying.toSorted()).toEqual(stored.toSorted());
    expect(paying.slice(-10).toSorted()).toEqual(stored.slice(0, 10).toSorted());
    expect((await listAll('payments')).toSorted()).toEqual(stored.toSorted());
  });

  test('each stage has the date that matters there, the next first where it lies ahead', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    const [near, far] = [at('2026-07-16T09:00:00Z'), at('2026-07-19T09:00:00Z')];
    const dates = {
      trial: 'trialEndsAt',
      paying: 'periodEndsAt',
      dunning: 'nextPaymentAttemptAt',
      ended: 'endedAt',
    };
    const statuses = {
      trial: 'trialing',
      paying: 'active',
      dunning: 'past_due',
      ended: 'canceled',
    };
    for (const [stage, status] of Object.entries(statuses)) {
      const date = dates[stage as keyof typeof dates];
      const later = await storeSubscription(db, { status, [date]: far });
      const sooner = await storeSubscription(db, { status, [date]: near });

      const { json } = await api.call('GET', `/api/admin/money/people?of=${stage}`, { headers });

      const [first, second] = stage === 'ended' ? [later, sooner] : [sooner, later];
      expect(json.people).toMatchObject([
        { stripeSubscriptionId: first, at: (stage === 'ended' ? far : near).toISOString() },
        { stripeSubscriptionId: second },
      ]);
    }
  });

  test('a cursor that we did not make, an unknown figure, and a period that ends before it begins are refused', async ({
    api,
  }) => {
    const headers = await api.logIn();
    const read = async (query: string) =>
      (await api.call('GET', `/api/admin/money/people?${query}`, { headers })).status;

    expect(await read('of=mrr&cursor=abc')).toBe(422);
    const noSuchDay = Buffer.from('["2026-13-01 00:00:00","sub_1"]').toString('base64url');
    expect(await read(`of=mrr&cursor=${noSuchDay}`)).toBe(422);
    expect(await read('of=profit')).toBe(422);
    expect(await read('of=mrr&price=1.5')).toBe(422);
    expect(await read('of=mrr&plan=weekly')).toBe(422);
    expect(await read('of=cancelled&startDate=2026-07-02&endDate=2026-07-01')).toBe(422);
    expect((await api.call('GET', '/api/admin/money/people?of=mrr')).status).toBe(401);
    expect((await api.call('GET', '/api/admin/money/figures')).status).toBe(401);
  });
});
