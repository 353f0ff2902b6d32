import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { describe, expect } from 'vitest';
import { countPastPayers } from '../../billing/watch/money-night.repository.ts';
import { test } from '../../testing/api.fixture.ts';
import {
  type Paid,
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';

/** A Wednesday in summer: London is an hour ahead of UTC. */
const NOW = new Date('2026-07-15T12:00:00Z');
const at = (text: string) => new Date(text);

type Payment = { subscription: string; pence: number; paidAt: string };

const pay = (db: Database, { subscription, pence, paidAt }: Payment, given: object = {}) =>
  storeInvoice(db, {
    stripeSubscriptionId: subscription,
    totalPence: pence,
    paidAt: at(paidAt),
    ...given,
  });

const refund = (db: Database, paid: Paid, pence: number, refundedAt: string, given: object = {}) =>
  storeRefund(db, paid, { amountPence: pence, refundedAt: at(refundedAt), ...given });

const dispute = (db: Database, paid: Paid, given: object) =>
  storeDispute(db, paid, { amountPence: 900, openedAt: at('2026-07-05T09:00:00Z'), ...given });

const idsOf = (json: { people: { stripeSubscriptionId: string }[] }) =>
  json.people.map(({ stripeSubscriptionId }) => stripeSubscriptionId);

type Row = { amount: { pence: number }; at: string };

const JULY = 'startDate=2026-07-01&endDate=2026-07-14';

describe('the figures of money', () => {
  test('money in is what was paid, less refunded, less held by banks', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    const lead = await storeLead(db, { email: 'priya@acquirers.example' });
    const subscription = await storeSubscription(db, { leadId: lead.id });
    const pays = (pence: number, paidAt: string) => pay(db, { subscription, pence, paidAt });
    await pays(71_700, '2026-07-01T09:00:00Z');
    const disputed = await pays(215_100, '2026-06-29T09:00:00Z');
    await dispute(db, disputed, { id: 'dp_open', amountPence: 215_100 });
    const won = await pays(23_900, '2026-05-30T09:00:00Z');
    await dispute(db, won, {
      id: 'dp_won',
      amountPence: 23_900,
      status: 'won',
      openedAt: at('2026-06-02T09:00:00Z'),
      wonAt: at('2026-07-06T09:00:00Z'),
    });
    const refunded = await pays(10_000, '2026-07-02T09:00:00Z');
    await refund(db, refunded, 1_000, '2026-07-03T09:00:00Z');
    // The bank has taken nothing for an inquiry.
    const asked = await pays(20_000, '2026-07-02T09:00:00Z');
    await dispute(db, asked, { id: 'dp_asked', amountPence: 20_000, status: 'warning_closed' });
    const get = async (path: string) => (await operator.get(path)).json;

    const { months } = await get('money/history?months=3');
    const list = await get(`money/people?of=lost&${JULY}`);

    const gbp = (pence: number) => ({ pence, currency: 'gbp' });
    expect(months).toMatchObject([
      { paid: gbp(23_900), refunded: gbp(0), lost: gbp(0), moneyIn: gbp(23_900) },
      { paid: gbp(215_100), refunded: gbp(0), lost: gbp(23_900), moneyIn: gbp(191_200) },
      { paid: gbp(101_700), refunded: gbp(1_000), lost: gbp(191_200), moneyIn: gbp(-90_500) },
    ]);
    expect(list.people.map(({ amount }: Row) => amount.pence)).toEqual([-23_900, 215_100]);
    expect(list.total).toEqual({ count: 2, ...gbp(191_200) });
  });

  test('a person’s money in is the sum of their rows, other currencies beside it', async ({
    api,
    operator,
    db,
  }) => {
    const { headers } = operator;
    api.clock.moveTo(NOW);
    const email = 'priya@acquirers.example';
    const lead = await storeLead(db, { email });
    const pounds = await storeSubscription(db, { leadId: lead.id });
    const euros = await storeSubscription(db, { status: 'canceled' });
    const paidAt = '2026-07-01T09:00:00Z';
    const paid = await pay(db, { subscription: pounds, pence: 23_900, paidAt });
    await refund(db, paid, 900, '2026-07-03T09:00:00Z');
    const lost = await pay(db, { subscription: pounds, pence: 20_000, paidAt });
    await dispute(db, lost, { id: 'dp_1', amountPence: 20_000, status: 'lost' });
    await pay(db, { subscription: euros, pence: 10_000, paidAt }, { currency: 'eur' });

    const search = { headers, body: { text: email } };
    const [found] = (await api.call('POST', '/api/admin/people/search', search)).json.people;
    const panel = await operator.get(`leads/${lead.id}/person`);
    const rows = await operator.get('money/people?of=money-in');

    expect(found.moneyIn).toEqual([
      { pence: 23_000, currency: 'gbp' },
      { pence: 10_000, currency: 'eur' },
    ]);
    expect(rows.json.total.pence).toBe(23_000);
    const totalsOf = (id: string) =>
      panel.json.subscriptions.find(({ stripeSubscriptionId }: Paid) => stripeSubscriptionId === id)
        .totals;
    expect(totalsOf(pounds)).toEqual([
      { currency: 'gbp', paidPence: 43_900, refundedPence: 900, heldPence: 20_000 },
    ]);
    expect(totalsOf(euros)).toEqual([
      { currency: 'eur', paidPence: 10_000, refundedPence: 0, heldPence: 0 },
    ]);
  });

  test('a payer who left is one cancellation, even after an attempt left unpaid', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    const paid = at('2026-05-01T09:00:00Z');
    const left = await storeSubscription(db, {
      firstPaidAt: paid,
      startedAt: paid,
      status: 'canceled',
      endedAt: at('2026-07-03T09:00:00Z'),
    });
    await storeSubscription(db, {
      startedAt: at('2026-07-05T09:00:00Z'),
      status: 'incomplete_expired',
      endedAt: at('2026-07-06T09:00:00Z'),
    });

    const { months } = (await operator.get('money/history?months=1')).json;
    const { json } = await operator.get(`money/people?of=ended-payers&${JULY}`);

    expect(months).toMatchObject([{ endedPayers: 1 }]);
    expect([idsOf(json), json.total.count]).toEqual([[left], 1]);
  });

  test('figures add up pounds alone, and name what they leave out', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    const subscription = await storeSubscription(db);
    const when = { subscription, paidAt: '2026-07-10T09:00:00Z' };
    await pay(db, { pence: 10_000, ...when });
    const dollars = await pay(db, { pence: 5_000, ...when }, { currency: 'usd' });
    await refund(db, dollars, 2_000, '2026-07-11T09:00:00Z', { currency: 'usd' });

    const { json } = await operator.get('money/people?of=money-in');

    expect(json.total).toEqual({ count: 1, pence: 10_000, currency: 'gbp' });
    const { months } = (await operator.get('money/history?months=2')).json;
    expect(months).toMatchObject([
      { leftOut: [] },
      {
        moneyIn: { pence: 10_000, currency: 'gbp' },
        refunded: { pence: 0 },
        leftOut: [{ pence: 3_000, currency: 'usd' }],
      },
    ]);
  });

  test('a month after fees is known once the fee of each payment is', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    const subscription = await storeSubscription(db);
    const read = async () =>
      (await operator.get('money/history?months=1')).json.months[0].afterFees;
    const when = { subscription, paidAt: '2026-07-10T09:00:00Z' };
    await pay(db, { pence: 10_000, ...when }, { feePence: 170 });
    expect(await read()).toEqual({ pence: 9_830, currency: 'gbp' });

    await pay(db, { pence: 5_000, ...when });
    expect(await read()).toBeNull();

    await db('stripe_invoices').whereNull('feePence').update({ feePence: 95 });
    expect(await read()).toEqual({ pence: 14_735, currency: 'gbp' });
  });

  test('MRR is the monthly sum of active and past-due subscriptions, without trials', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    const monthly = await storeSubscription(db, { amountPence: 23_900 });
    const annual = await storeSubscription(db, { plan: 'annual', amountPence: 215_100 });
    // £100 a year is £8.33⅓ a month, and three of them are £25.
    for (let n = 0; n < 3; n++)
      await storeSubscription(db, { plan: 'annual', amountPence: 10_000 });
    const late = await storeSubscription(db, { status: 'past_due', amountPence: 20_315 });
    // A discount for one month does not lower MRR, a lasting discount does.
    const once = await storeSubscription(db, { amountPence: 0, recurringPence: 23_900 });
    const ending = await storeSubscription(db, {
      amountPence: 23_900,
      cancelAt: at('2026-08-01T00:00:00Z'),
    });
    await storeSubscription(db, { amountPence: 0, recurringPence: 0 });
    for (const status of ['trialing', 'unpaid', 'paused', 'canceled', 'incomplete']) {
      await storeSubscription(db, { status });
    }

    const { json } = await operator.get('money');
    const people = await operator.get('money/people?of=mrr');

    // 239.00 + 179.25 + 25.00 + 203.15 + 239.00 + 239.00
    expect(json.mrr).toEqual({ count: 8, pence: 112_440, currency: 'gbp' });
    expect(people.json.total).toEqual(json.mrr);
    expect(idsOf(people.json)).toEqual(
      expect.arrayContaining([monthly, annual, late, once, ending]),
    );
    expect(people.json.people).toHaveLength(8);
    expect(people.json.people.find(({ amount }: Row) => amount.pence === 17_925)).toMatchObject({
      stripeSubscriptionId: annual,
      dashboardUrl: `https://dashboard.stripe.com/test/subscriptions/${annual}`,
    });
  });

  test('a trial that ended unpaid is in no MRR, and no payer', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const unpaid = { startedAt: at('2026-07-01T09:00:00Z'), firstPaidAt: null };
    await storeSubscription(db, { email: 'late@x.example', status: 'past_due', ...unpaid });
    await storeSubscription(db, { email: 'due@x.example', ...unpaid });
    const get = async (path: string) => (await api.call('GET', path, { headers })).json;

    const { mrr, prices, stages } = await get('/api/admin/money');
    const { months } = await get('/api/admin/money/history?months=1');

    expect([mrr.count, mrr.pence, prices]).toEqual([0, 0, []]);
    expect(stages).toMatchObject({ trial: 1, paying: 0, dunning: 1 });
    expect(months).toMatchObject([{ mrr: { pence: 0 }, payers: 0, newPayers: 0 }]);
    // They paid before, for a subscription that ended.
    await storeSubscription(db, {
      email: 'late@x.example',
      status: 'canceled',
      firstPaidAt: at('2026-05-01T09:00:00Z'),
      endedAt: at('2026-06-01T09:00:00Z'),
    });
    expect((await get('/api/admin/money/history?months=1')).months).toMatchObject([{ payers: 0 }]);
  });

  test('a subscription that costs nothing is a trial for the person and for Money', async ({
    api,
    operator,
    db,
  }) => {
    const { headers } = operator;
    const free = { amountPence: 0, recurringPence: 0, firstPaidAt: null };
    await storeSubscription(db, { email: 'free@x.example', ...free });

    const { stages } = (await operator.get('money')).json;
    const search = { headers, body: { text: 'free@x.example' } };
    const { people } = (await api.call('POST', '/api/admin/people/search', search)).json;

    expect(stages).toMatchObject({ trial: 1, paying: 0 });
    expect(people).toMatchObject([{ state: 'trial' }]);
  });

  test('a suspended payer has no access', async ({ api, operator, db }) => {
    api.clock.moveTo(NOW);
    const paid = { firstPaidAt: at('2026-06-01T09:00:00Z'), startedAt: at('2026-05-25T09:00:00Z') };
    await storeSubscription(db, { email: 'a@x.example', ...paid });
    const suspended = await storeSubscription(db, {
      email: 'b@x.example',
      ...paid,
      status: 'past_due',
    });
    const stop = (status: string, snapshotAt: string) =>
      db('subscriptions')
        .where({ stripeSubscriptionId: suspended })
        .update({ status, snapshotAt: at(snapshotAt) });
    await stop('unpaid', '2026-07-10T09:00:00Z');
    const readPayers = async () =>
      (await operator.get('money/history?months=1')).json.months[0].payers;

    expect(await readPayers()).toBe(1);
    // Later readings move neither the start of the suspension, nor a past day.
    await stop('unpaid', '2026-07-12T09:00:00Z');
    expect(await countPastPayers(db, '2026-07-10T08:00:00Z')).toBe(2);
    expect(await countPastPayers(db, '2026-07-11T08:00:00Z')).toBe(1);
    await stop('active', '2026-07-13T09:00:00Z');
    expect(await readPayers()).toBe(2);
  });

  test('a subscription whose collection is paused is not in MRR', async ({ operator, db }) => {
    await storeSubscription(db, { amountPence: 23_900 });
    await storeSubscription(db, { amountPence: 20_315, isCollectionPaused: true });

    const { json } = await operator.get('money');

    expect(json.mrr).toEqual({ count: 1, pence: 23_900, currency: 'gbp' });
  });

  test('the MRR’s payers are listed by plan and price', async ({ operator, db }) => {
    await storeSubscription(db);
    await storeSubscription(db, { amountPence: 0, recurringPence: 23_900 });
    // £100 a year is £8.33⅓ a month, and three of them are £25.
    for (let n = 0; n < 3; n++)
      await storeSubscription(db, { plan: 'annual', amountPence: 10_000 });
    await storeSubscription(db, { status: 'trialing' });

    const { json } = await operator.get('money');

    expect(json.mrr).toEqual({ count: 5, pence: 50_300, currency: 'gbp' });
    expect(json.prices).toEqual([
      { plan: 'monthly', price: 23_900, count: 2, pence: 47_800, currency: 'gbp' },
      { plan: 'annual', price: 10_000, count: 3, pence: 2_500, currency: 'gbp' },
    ]);
    for (const { plan, price, count, pence } of json.prices) {
      const query = `of=mrr&plan=${plan}&price=${price}`;
      const list = await operator.get(`money/people?${query}`);
      expect(list.json.people).toHaveLength(count);
      expect(list.json.total).toEqual({ count, pence, currency: 'gbp' });
    }
  });

  test('payments, refunds and disputes count in the period, each at its own time', async ({
    api,
    operator,
    db,
  }) => {
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

    const read = async (of: string) => (await operator.get(`money/people?of=${of}&${JULY}`)).json;

    // Two payments, two refunds and a lost dispute.
    expect((await read('paid')).total).toMatchObject({ count: 2, pence: 44_215 });
    expect((await read('money-in')).total).toMatchObject({ count: 5, pence: 38_615 });
    expect((await read('refunded')).total).toMatchObject({ count: 2, pence: 4_900 });
    expect((await read('lost')).total).toMatchObject({ count: 1, pence: 700 });
    expect(
      (await read('money-in')).people.map(({ amount, at: each }: Row) => [amount.pence, each]),
    ).toEqual([
      [20_315, '2026-07-14T22:59:59.000Z'],
      [-700, '2026-07-05T09:00:00.000Z'],
      [-1_000, '2026-07-03T09:00:00.000Z'],
      [-3_900, '2026-07-02T09:00:00.000Z'],
      [23_900, '2026-06-30T23:00:00.000Z'],
    ]);
    await dispute(db, early, { id: 'dp_open' });
    expect((await read('lost')).people).toMatchObject([
      { stage: 'disputed' },
      { stage: 'disputed' },
    ]);
  });

  test('a payer is an email: new once, cancelled when the last subscription has ended', async ({
    api,
    operator,
    db,
  }) => {
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
    // A change of plan is neither new nor ended.
    await payer('2026-05-02T09:00:00Z', '2026-07-05T09:00:00Z', {
      email: 'moved@acquirers.example',
    });
    await payer('2026-07-05T09:00:00Z', undefined, { email: 'moved@acquirers.example' });
    // A trial that ended without a payment is no cancellation.
    await storeSubscription(db, { status: 'canceled', endedAt: at('2026-07-10T09:00:00Z') });

    const left = await operator.get(`money/people?of=ended-payers&${JULY}`);
    const came = await operator.get(`money/people?of=new-payers&${JULY}`);

    expect(left.json.total).toMatchObject({ count: 2, pence: 17_925 + 23_900 });
    expect(idsOf(left.json)).toEqual([joinedAndLeft, first]);
    expect(idsOf(came.json)).toEqual([joined, joinedAndLeft]);
  });
});

describe('GET /api/admin/money/people', () => {
  test('a figure’s people are listed page by page, those without a date last', async ({
    operator,
    db,
  }) => {
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
        const { json } = await operator.get(`money/people?of=${of}&cursor=${cursor}`);
        listed.push(...idsOf(json));
        cursor = json.nextCursor;
      }
      return listed;
    };
    const paying = await listAll('paying');

    expect(paying.toSorted()).toEqual(stored.toSorted());
    expect(paying.slice(-10).toSorted()).toEqual(stored.slice(0, 10).toSorted());
    expect((await listAll('money-in')).toSorted()).toEqual(stored.toSorted());
  });

  test('each stage has the date that matters there, the next first where it lies ahead', async ({
    operator,
    db,
  }) => {
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

      const { json } = await operator.get(`money/people?of=${stage}`);

      const [first, second] = stage === 'ended' ? [later, sooner] : [sooner, later];
      expect(json.people).toMatchObject([
        { stripeSubscriptionId: first, at: (stage === 'ended' ? far : near).toISOString() },
        { stripeSubscriptionId: second },
      ]);
    }
  });

  test('a foreign cursor, an unknown figure and a reversed period are refused', async ({
    api,
    operator,
  }) => {
    const read = async (query: string) => (await operator.get(`money/people?${query}`)).status;

    expect(await read('of=mrr&cursor=abc')).toBe(422);
    const noSuchDay = Buffer.from('["2026-13-01 00:00:00","sub_1"]').toString('base64url');
    expect(await read(`of=mrr&cursor=${noSuchDay}`)).toBe(422);
    expect(await read('of=profit')).toBe(422);
    expect(await read('of=mrr&price=1.5')).toBe(422);
    expect(await read('of=mrr&plan=weekly')).toBe(422);
    expect(await read('of=ended-payers&startDate=2026-07-02&endDate=2026-07-01')).toBe(422);
    expect((await api.call('GET', '/api/admin/money/people?of=mrr')).status).toBe(401);
    expect((await api.call('GET', '/api/admin/money/history')).status).toBe(401);
  });
});
