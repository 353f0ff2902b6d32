// @module-tag long
import { storePerson } from '@site/testing/builders';
import { query } from '@site/platform/database/query';
import { task } from '@site/platform/database/task';
import { createFixedClock } from '../../testing/fixed-clock.ts';
import type { Database } from '@site/platform/database/connect';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { recordNights } from '../../billing/watch/stripe-watch.ts';
import { test } from '../../testing/api.fixture.ts';
import { storeInvoice, storeSubscription } from '@site/testing/money-builders';

/** In summer: London is an hour ahead of UTC. */
const NOW = new Date('2026-07-15T12:00:00Z');
const DAY_MS = 86_400_000;
const pounds = (pence: number) => ({ pence, currency: 'gbp' });
const nothing = {
  paid: pounds(0),
  refunded: pounds(0),
  lost: pounds(0),
  moneyIn: pounds(0),
  afterFees: pounds(0),
  leftOut: [],
};
const at = (text: string) => new Date(text.length === 10 ? `${text}T12:00:00Z` : text);

const recordOn = (db: Database, day: string) =>
  recordNights({ db, clock: createFixedClock(at(`${day}T00:01:00+01:00`)) });
const knownSince = (db: Database, day: string) =>
  task(db, 'stripe-events').update({ since: at(day) });
const paidFor = (db: Database, stripeSubscriptionId: string, pence: number, day: string) =>
  storeInvoice(db, { stripeSubscriptionId, totalPence: pence, paidAt: at(day) });

describe('GET /api/admin/money/history', () => {
  test('the history shows each month from its last night, and this month as it is now', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    await knownSince(db, '2026-05-20');
    const paying = { startedAt: at('2026-05-25'), firstPaidAt: at('2026-06-01') };
    const stays = await storeSubscription(db, { email: 'a@x.example', ...paying });
    await paidFor(db, stays, 23_900, '2026-06-01');
    // Midnight in London is 23:00 UTC: this is the first of July there.
    const left = {
      startedAt: at('2026-06-02'),
      firstPaidAt: at('2026-06-09'),
      endedAt: at('2026-06-30T23:30:00Z'),
    };
    const gone = await storeSubscription(db, {
      email: 'b@x.example',
      status: 'canceled',
      plan: 'annual',
      ...left,
      amountPence: 120_000,
    });
    await paidFor(db, gone, 120_000, '2026-06-09');
    const trial = { startedAt: at('2026-07-12'), trialEndsAt: at('2026-07-19') };
    await storeSubscription(db, { email: 'c@x.example', status: 'trialing', ...trial });

    await recordOn(db, '2026-07-15');
    const { json } = await operator.get('money/history?months=4');

    const unknown = { newPayers: null, endedPayers: null, payers: null, mrr: null };
    const unknownMoney = { paid: null, refunded: null, lost: null, moneyIn: null };
    expect(json.months).toEqual([
      { month: '2026-04', ...unknownMoney, afterFees: null, leftOut: [], ...unknown },
      {
        month: '2026-05',
        ...nothing,
        mrr: pounds(0),
        payers: 0,
        newPayers: 0,
        endedPayers: 0,
      },
      {
        month: '2026-06',
        ...nothing,
        paid: pounds(143_900),
        moneyIn: pounds(143_900),
        afterFees: null,
        mrr: pounds(33_900),
        payers: 2,
        newPayers: 2,
        endedPayers: 0,
      },
      {
        month: '2026-07',
        ...nothing,
        mrr: pounds(23_900),
        payers: 1,
        newPayers: 0,
        endedPayers: 1,
      },
    ]);
  });

  test('an erasure does not make two of one payer', async ({ api, operator, db }) => {
    api.clock.moveTo(NOW);
    await knownSince(db, '2026-07-01');
    const email = 'priya@reader.example';
    const ended = {
      email,
      status: 'canceled',
      startedAt: at('2026-07-02'),
      firstPaidAt: at('2026-07-02'),
    } as const;
    await storeSubscription(db, { ...ended, stripeCustomerId: 'cus_1', endedAt: at('2026-07-10') });
    await storeSubscription(db, {
      ...ended,
      stripeCustomerId: 'cus_2',
      plan: 'annual',
      endedAt: at('2026-07-12'),
    });
    const read = async () => (await operator.get('money/history?months=1')).json.months;
    const before = await read();

    await operator.post('people/erase', { email });

    expect(before).toMatchObject([{ newPayers: 1, endedPayers: 1 }]);
    expect(await read()).toEqual(before);
  });

  test('a change of plan is neither a cancellation nor a new payer', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    await knownSince(db, '2026-07-01');
    const before = {
      startedAt: at('2026-06-01'),
      firstPaidAt: at('2026-06-08'),
      endedAt: at('2026-07-10'),
    };
    await storeSubscription(db, { status: 'canceled', ...before });
    // The subscription pays later on the same day.
    const firstPaidAt = at('2026-07-10T18:00:00Z');
    await storeSubscription(db, {
      plan: 'annual',
      amountPence: 120_000,
      startedAt: firstPaidAt,
      firstPaidAt,
    });

    for (const day of ['2026-07-10', '2026-07-11', '2026-07-12']) await recordOn(db, day);
    const { json } = await operator.get('money/history?months=1');

    expect(json.months).toMatchObject([
      { payers: 1, newPayers: 0, endedPayers: 0, mrr: pounds(10_000) },
    ]);
    expect(await db('money_nights').orderBy('day').pluck('payers')).toEqual([1, 1, 1]);
  });

  test('a night stored late has the MRR and the payers of its midnight', async ({ db }) => {
    await knownSince(db, '2026-06-01');
    const began = { startedAt: at('2026-06-02'), firstPaidAt: at('2026-06-09') };
    const stop = at('2026-07-01T15:00:00Z');
    const ended = { ...began, status: 'canceled', endedAt: stop };
    await storeSubscription(db, { email: 'stays@x.example', ...began });
    await storeSubscription(db, { email: 'gone@x.example', amountPence: 10_000, ...ended });
    const unpaid = { ...began, status: 'unpaid', amountPence: 1_000, snapshotAt: stop };
    await storeSubscription(db, { email: 'stopped@x.example', ...unpaid });
    const paused = { ...began, isCollectionPaused: true };
    await storeSubscription(db, { email: 'paused@x.example', ...paused });
    const trial = { startedAt: at('2026-06-24'), firstPaidAt: at('2026-07-01') };
    await storeSubscription(db, { email: 'new@x.example', amountPence: 20_000, ...trial });

    await recordNights({ db, clock: createFixedClock(at('2026-07-01T20:00:00Z')) });

    expect(await db('money_nights').orderBy('day', 'desc').first('mrrPence', 'payers')).toEqual({
      mrrPence: 23_900 + 10_000 + 1_000,
      payers: 4,
    });
  });

  test('a month before the first night has its payments, and no other figure', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    const subscription = await storeSubscription(db);
    await paidFor(db, subscription, 23_900, '2026-06-09');

    const { json } = await operator.get('money/history?months=3');

    expect(json.months.slice(0, 2)).toMatchObject([
      { month: '2026-05', moneyIn: null, lost: null },
      {
        month: '2026-06',
        ...nothing,
        paid: pounds(23_900),
        moneyIn: pounds(23_900),
        afterFees: null,
        mrr: null,
        payers: null,
      },
    ]);
    expect(json.since).toBeNull();
  });

  test('a past month’s MRR is null if a price of then is not known', async ({ db }) => {
    await knownSince(db, '2026-04-10');
    const changed = await storeSubscription(db, {
      startedAt: at('2026-03-01'),
      firstPaidAt: at('2026-03-08'),
    });
    await paidFor(db, changed, 19_900, '2026-04-08');
    await paidFor(db, changed, 23_900, '2026-06-08');

    await recordOn(db, '2026-07-15');

    const nights = await db('money_nights').orderBy('day').select('mrrPence', 'payers', 'onList');
    expect(nights).toEqual([
      { mrrPence: null, payers: 1, onList: null },
      { mrrPence: null, payers: 1, onList: null },
      { mrrPence: 23_900, payers: 1, onList: null },
      { mrrPence: 23_900, payers: 1, onList: 0 },
    ]);
  });

  test('past payments that arrive later fill their months', async ({ api, operator, db }) => {
    api.clock.moveTo(NOW);
    await knownSince(db, '2026-07-10');
    await recordOn(db, '2026-07-15');
    const began = { startedAt: at('2026-04-10'), firstPaidAt: at('2026-04-17') };
    const stripeSubscriptionId = await storeSubscription(db, began);
    await paidFor(db, stripeSubscriptionId, 23_900, '2026-04-17');
    const checkout = {
      stripeCheckoutSessionId: 'cs_1',
      state: 'complete',
      startedAt: began.startedAt,
    } as const;
    await db('checkouts').insert({ ...checkout, snapshotAt: NOW });
    const arrives = { id: 'evt_1', type: 'invoice.paid', outcome: 'applied' } as const;
    await db('stripe_events').insert({ ...arrives, receivedAt: new Date() });
    const nights = () => db('money_nights').orderBy('day').pluck('payers');

    await recordOn(db, '2026-07-15');
    expect(await nights()).toEqual([0]);
    await db('stripe_events').update({ receivedAt: new Date(Date.now() - 61_000) });
    await recordOn(db, '2026-07-15');

    expect(await nights()).toEqual([1, 1, 1, 0]);
    const { json } = await operator.get('money/history?months=4');
    expect(json.months).toMatchObject([
      { month: '2026-04', payers: 1, newPayers: 1, mrr: pounds(23_900), moneyIn: pounds(23_900) },
      { month: '2026-05', payers: 1, newPayers: 0, mrr: pounds(23_900) },
      { month: '2026-06', payers: 1, newPayers: 0, mrr: pounds(23_900) },
      { month: '2026-07', payers: 1, newPayers: 0, mrr: pounds(23_900) },
    ]);
  });

  test('a night is stored once, with how many are on the list', async ({ db }) => {
    await knownSince(db, '2026-07-01');
    await recordOn(db, '2026-07-14');
    const subscriber = (email: string, status: string, day: string) =>
      storePerson(db, {
        emailNormalised: email,
        status,
        statusSince: at(day),
        learnedAt: at(day),
      });
    await subscriber('a@x.example', 'active', '2026-07-02');
    await subscriber('b@x.example', 'active', '2026-07-14');
    await subscriber('c@x.example', 'inactive', '2026-07-14');

    await Promise.all([recordOn(db, '2026-07-15'), recordOn(db, '2026-07-15')]);
    await db('people').whereNotNull('status').delete();
    await recordOn(db, '2026-07-15');

    expect(await db('money_nights').orderBy('day').select('onList')).toEqual([
      { onList: 0 },
      { onList: 2 },
    ]);
  });

  test('an erasure changes no closed month', async ({ api, operator, db }) => {
    api.clock.moveTo(NOW);
    await knownSince(db, '2026-06-01');
    const email = 'priya@reader.example';
    const began = { startedAt: at('2026-06-02'), firstPaidAt: at('2026-06-02') };
    const id = await storeSubscription(db, {
      email,
      status: 'canceled',
      ...began,
      endedAt: at('2026-06-20'),
    });
    await paidFor(db, id, 23_900, '2026-06-02');
    await recordOn(db, '2026-07-15');
    const read = async () => (await operator.get('money/history?months=2')).json.months[0];
    const before = await read();

    await operator.post('people/erase', { email });

    expect(before).toMatchObject({ moneyIn: pounds(23_900), newPayers: 1, endedPayers: 1 });
    expect(await read()).toEqual(before);
  });

  const payers = async (
    call: (path: string) => Promise<{ json: { people: unknown[]; months: unknown[] } }>,
    month: string,
  ) => {
    const { months } = (await call('/api/admin/money/history?months=3')).json;
    const list = async (of: string) => {
      const days = `startDate=${month}-01&endDate=${month}-30`;
      return (await call(`/api/admin/money/people?of=${of}&${days}`)).json.people;
    };
    return {
      figures: months.find((each) => (each as { month: string }).month === month),
      began: await list('new-payers'),
      left: await list('ended-payers'),
    };
  };

  test('a correction that merges two payers changes no closed month', async ({
    api,
    operator,
    db,
  }) => {
    const { headers } = operator;
    api.clock.moveTo(NOW);
    await knownSince(db, '2026-05-01');
    const ended = { status: 'canceled', endedAt: at('2026-06-20') } as const;
    const first = await storeSubscription(db, {
      email: 'priya@reader.example',
      startedAt: at('2026-05-02'),
      firstPaidAt: at('2026-05-09'),
      ...ended,
    });
    const second = await storeSubscription(db, {
      email: 'pirya@reader.example',
      startedAt: at('2026-06-02'),
      firstPaidAt: at('2026-06-09'),
    });
    await recordOn(db, '2026-07-15');
    const read = () => payers((path) => api.call('GET', path, { headers }), '2026-06');
    const before = await read();

    await db('subscriptions')
      .where({ stripeSubscriptionId: second })
      .update({ email: 'priya@reader.example' });

    expect(before).toMatchObject({
      figures: { newPayers: 1, endedPayers: 1 },
      began: [{ stripeSubscriptionId: second }],
      left: [{ stripeSubscriptionId: first }],
    });
    const after = await read();
    expect(after.figures).toEqual(before.figures);
    expect([after.began.length, after.left.length]).toEqual([1, 1]);
    // Nobody counts as new or lost twice.
    await recordOn(db, '2026-07-16');
    const { months } = (await operator.get('money/history?months=1')).json;
    expect(months).toMatchObject([{ newPayers: 0, endedPayers: 0 }]);
  });

  test('a payer who leaves and returns stays in the figures and rows of both months', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const paid = { startedAt: at('2026-05-02'), firstPaidAt: at('2026-05-09') };
    const left = await storeSubscription(db, {
      status: 'canceled',
      ...paid,
      endedAt: at('2026-07-03'),
    });
    await storeSubscription(db, { startedAt: at('2026-07-05'), firstPaidAt: at('2026-07-05') });

    expect(await payers((path) => api.call('GET', path, { headers }), '2026-07')).toMatchObject({
      figures: { newPayers: 0, endedPayers: 1, payers: 1 },
      began: [],
      left: [{ stripeSubscriptionId: left }],
    });
  });

  test('a payer who becomes known after the night is new on the next day', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    await knownSince(db, '2026-06-01');
    await recordOn(db, '2026-07-01');
    const late = at('2026-06-30T22:50:00Z');
    await storeSubscription(db, { startedAt: late, firstPaidAt: late });
    await recordOn(db, '2026-07-02');
    await recordOn(db, '2026-07-03');

    const { months } = (await operator.get('money/history?months=2')).json;

    expect(months).toMatchObject([{ newPayers: 0 }, { newPayers: 1 }]);
  });

  type Life = { person: number; from: number; days: number | null; plan: 'monthly' | 'annual' };
  const life: fc.Arbitrary<Life> = fc.record({
    person: fc.nat(3),
    from: fc.nat(20),
    days: fc.option(fc.integer({ min: 1, max: 12 })),
    plan: fc.constantFrom('monthly', 'annual'),
  });

  test('the history adds up for any sequence of subscriptions that begin and end', async ({
    db,
  }) => {
    const start = at('2026-06-20').getTime();
    const dayOf = (n: number) => new Date(start + n * DAY_MS);
    await knownSince(db, '2026-06-20');
    await fc.assert(
      fc.asyncProperty(fc.array(life, { maxLength: 8 }), async (lives) => {
        await db('money_nights').delete();
        await db('subscriptions').delete();
        for (const { person, from, days, plan } of lives) {
          const ended = days === null ? {} : { status: 'canceled', endedAt: dayOf(from + days) };
          const began = { startedAt: dayOf(from), firstPaidAt: dayOf(from) };
          await storeSubscription(db, { email: `${person}@x.example`, plan, ...began, ...ended });
        }
        const paysOn = (person: number, n: number) =>
          lives.some(
            (one) =>
              one.person === person &&
              one.from <= n &&
              (one.days === null || one.from + one.days > n),
          );
        const hasPaid = (person: number, n: number) =>
          lives.some((one) => one.person === person && one.from <= n);

        for (let n = 0; n < 35; n += 1)
          await recordNights({ db, clock: createFixedClock(dayOf(n + 1)) });

        const nights = await query<{ payers: number; newPayers: number; endedPayers: number }>(
          db,
          `select payers, count(*) filter (where list = 'new-payers')::int as new_payers,
               count(*) filter (where list = 'ended-payers')::int as ended_payers
             from money_nights left join closed_moves using (day)
             group by day, payers order by day`,
        );
        const people = [0, 1, 2, 3];
        for (const [n, night] of nights.entries()) {
          const count = (holds: (person: number) => boolean) => people.filter(holds).length;
          expect(night.payers).toBe(count((person) => paysOn(person, n)));
          expect(night.newPayers).toBe(
            count((person) => hasPaid(person, n) && !hasPaid(person, n - 1)),
          );
        }
        const total = (name: 'newPayers' | 'endedPayers') =>
          nights.reduce((sum, night) => sum + night[name], 0);
        const returned = people.reduce(
          (sum, person) =>
            sum +
            nights.filter(
              (_, n) =>
                n > 0 && paysOn(person, n) && !paysOn(person, n - 1) && hasPaid(person, n - 1),
            ).length,
          0,
        );
        // Nobody begins or ends in between.
        expect(nights.at(-1)?.payers).toBe(total('newPayers') + returned - total('endedPayers'));
      }),
      { numRuns: 12 },
    );
  });
});
