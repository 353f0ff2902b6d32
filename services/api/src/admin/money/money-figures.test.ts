import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeSubscription } from '../../testing/subscription.fixture.ts';

/** A Wednesday in summer: London is an hour ahead of UTC. */
const NOW = new Date('2026-07-15T12:00:00Z');
const at = (text: string) => new Date(text);

type Payment = { id?: string; subscription: string; pence: number; paidAt: string };

async function pay(db: Database, { id = randomUUID(), subscription, pence, paidAt }: Payment): Promise<string> {
  const snapshotAt = NOW;
  await db('stripe_invoices').insert({
    id: `in_${id}`,
    stripeSubscriptionId: subscription,
    status: 'paid',
    totalPence: pence,
    paidPence: pence,
    attempts: 1,
    issuedAt: at(paidAt),
    paidAt: at(paidAt),
    snapshotAt,
  });
  await db('stripe_charges').insert({
    id: `ch_${id}`,
    stripeInvoiceId: `in_${id}`,
    amountPence: pence,
    refundedPence: 0,
    snapshotAt,
  });
  return `ch_${id}`;
}

const refund = (db: Database, stripeChargeId: string, pence: number, refundedAt: string, status = 'succeeded') =>
  db('stripe_refunds').insert({
    id: `re_${randomUUID()}`,
    stripeChargeId,
    amountPence: pence,
    status,
    refundedAt: at(refundedAt),
    snapshotAt: NOW,
  });

const idsOf = (json: { people: { stripeSubscriptionId: string }[] }) =>
  json.people.map(({ stripeSubscriptionId }) => stripeSubscriptionId);

describe('GET /api/admin/money/figures', () => {
  test('adds up pounds alone, and names what it leaves out', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const subscription = await storeSubscription(db);
    await storeSubscription(db, { amountPence: 0, unreadParts: ['price'] });
    const when = { subscription, paidAt: '2026-07-10T09:00:00Z' };
    await pay(db, { id: 'older', pence: 10_000, ...when });
    await pay(db, { id: 'pounds', pence: 23_900, ...when });
    const dollars = await pay(db, { id: 'dollars', pence: 5_000, ...when });
    await db('stripe_invoices').where({ id: 'in_pounds' }).update({ currency: 'gbp', taxPence: 3_983 });
    await db('stripe_invoices').where({ id: 'in_dollars' }).update({ currency: 'usd', taxPence: 0 });
    await refund(db, dollars, 2_000, '2026-07-11T09:00:00Z');

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    const { json: payers } = await api.call('GET', '/api/admin/money/people?of=paid', { headers });

    expect(json).toMatchObject({
      paid: { count: 1, pence: 33_900 },
      refunded: { count: 0, pence: 0 },
      revenue: [{ paidPence: 33_900, returnedPence: 0 }],
      vat: { pence: 3_983, unknown: 1 },
      leftOut: { currencies: [{ currency: 'usd', paidPence: 5_000, refundedPence: 2_000 }], subscriptions: 1 },
    });
    expect(payers.people).toMatchObject([{ pence: 33_900 }]);
  });

  test('expects what balance credit leaves of an invoice', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const late = { status: 'past_due', latestInvoiceId: 'in_1', nextPaymentAttemptAt: at('2026-07-18T09:00:00Z') };
    await pay(db, {
      id: '1',
      pence: 23_900,
      subscription: await storeSubscription(db, late),
      paidAt: '2026-07-10T09:00:00Z',
    });
    await db('stripe_invoices').update({ status: 'open', paidPence: 0, remainingPence: 18_900, currency: 'gbp' });

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });

    expect(json.expected).toEqual({ count: 1, pence: 18_900 });
  });

  test('MRR is what active and past-due subscriptions bring in a month, without trials', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const monthly = await storeSubscription(db, { amountPence: 23_900 });
    const annual = await storeSubscription(db, { plan: 'annual', amountPence: 215_100 });
    // £100 a year is £8.33⅓ a month, and three of them are £25.
    for (let n = 0; n < 3; n++) await storeSubscription(db, { plan: 'annual', amountPence: 10_000 });
    const late = await storeSubscription(db, { status: 'past_due', amountPence: 20_315 });
    // A discount for one month does not lower it, a lasting one does.
    const once = await storeSubscription(db, { amountPence: 0, recurringPence: 23_900 });
    const ending = await storeSubscription(db, { amountPence: 23_900, cancelAt: at('2026-08-01T00:00:00Z') });
    await storeSubscription(db, { amountPence: 0, recurringPence: 0 });
    for (const status of ['trialing', 'unpaid', 'paused', 'canceled', 'incomplete']) {
      await storeSubscription(db, { status });
    }

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    const people = await api.call('GET', '/api/admin/money/people?of=mrr', { headers });

    // 239.00 + 179.25 + 25.00 + 203.15 + 239.00 + 239.00
    expect(json.mrr).toEqual({ count: 8, pence: 112_440 });
    expect(idsOf(people.json)).toEqual(expect.arrayContaining([monthly, annual, late, once, ending]));
    expect(people.json.people).toHaveLength(8);
    expect(people.json.people.find((row: { plan: string; pence: number }) => row.pence === 17_925)).toMatchObject({
      stripeSubscriptionId: annual,
      dashboardUrl: `https://dashboard.stripe.com/test/subscriptions/${annual}`,
    });
  });

  test('a subscription whose collection is paused is not in MRR, and has a figure of its own', async ({ api, db }) => {
    const headers = await api.logIn();
    await storeSubscription(db, { amountPence: 23_900 });
    const paused = await storeSubscription(db, { amountPence: 20_315, isCollectionPaused: true });
    await storeSubscription(db, { status: 'trialing', isCollectionPaused: true });

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    const people = await api.call('GET', '/api/admin/money/people?of=paused', { headers });

    expect(json).toMatchObject({ mrr: { count: 1, pence: 23_900 }, paused: { count: 1, pence: 20_315 } });
    expect(idsOf(people.json)).toEqual([paused]);
  });

  test('trials ending in seven days pay then unless they are cancelled', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const trial = (trialEndsAt: string, more = {}) =>
      storeSubscription(db, { status: 'trialing', trialEndsAt: at(trialEndsAt), ...more });
    const last = await trial('2026-07-22T11:59:59Z');
    const cancelled = await trial('2026-07-16T09:00:00Z', { cancelAt: at('2026-07-16T09:00:00Z') });
    await trial('2026-07-22T12:00:00Z');
    await trial('2026-07-15T11:59:59Z');
    await trial('2026-07-16T09:00:00Z', { status: 'active' });

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    const people = await api.call('GET', '/api/admin/money/people?of=trials-ending', { headers });

    expect(json.trialsEnding).toEqual({ count: 2, pence: 23_900 });
    expect(idsOf(people.json)).toEqual([cancelled, last]);
  });

  test('expects the charges of 30 days: ends of trials, renewals, second months and retries', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const trial = await storeSubscription(db, { status: 'trialing', trialEndsAt: at('2026-07-20T09:00:00Z') });
    const renewal = await storeSubscription(db, {
      plan: 'annual',
      amountPence: 215_100,
      periodEndsAt: at('2026-08-14T11:59:59Z'),
    });
    const late = await storeSubscription(db, {
      status: 'past_due',
      latestInvoiceId: 'in_late',
      nextPaymentAttemptAt: at('2026-07-18T09:00:00Z'),
      periodEndsAt: at('2026-08-01T09:00:00Z'),
    });
    await db('stripe_invoices').insert({
      id: 'in_late',
      stripeSubscriptionId: late,
      status: 'open',
      totalPence: 23_900,
      paidPence: 3_900,
      attempts: 1,
      issuedAt: NOW,
      snapshotAt: NOW,
    });
    const ends = at('2026-07-20T09:00:00Z');
    await storeSubscription(db, { periodEndsAt: ends, cancelAt: ends });
    await storeSubscription(db, { status: 'trialing', trialEndsAt: ends, cancelAt: ends });
    await storeSubscription(db, { periodEndsAt: ends, isCollectionPaused: true });
    await storeSubscription(db, { periodEndsAt: ends, amountPence: 0 });
    await storeSubscription(db, { periodEndsAt: at('2026-08-14T12:00:00Z') });
    await storeSubscription(db, { status: 'canceled', periodEndsAt: ends });

    const july = await api.call('GET', '/api/admin/money/figures', { headers });
    const people = await api.call('GET', '/api/admin/money/people?of=expected', { headers });
    // February: a monthly subscription is charged on 1 February and, 28 days later, on 1 March.
    api.clock.moveTo(at('2026-02-01T08:00:00Z'));
    const twice = await storeSubscription(db, { periodEndsAt: at('2026-02-01T09:00:00Z') });
    const once = await storeSubscription(db, {
      periodEndsAt: at('2026-02-01T09:00:00Z'),
      cancelAt: at('2026-03-01T09:00:00Z'),
    });
    const february = await api.call('GET', '/api/admin/money/people?of=expected', { headers });

    // 239.00 for the trial, 2,151.00, and the 200.00 that are left of the late invoice.
    expect(july.json.expected).toEqual({ count: 3, pence: 259_000 });
    expect(idsOf(people.json)).toEqual([late, trial, renewal]);
    expect(idsOf(february.json).toSorted()).toEqual([twice, twice, once].toSorted());
    expect(february.json.people.at(-1)).toMatchObject({ at: '2026-03-01T09:00:00.000Z', pence: 23_900 });
  });

  test('churn is payers whose subscription ended in the period, of all who could have', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const payer = (firstPaidAt: string, endedAt?: string, more = {}) =>
      storeSubscription(db, {
        firstPaidAt: at(firstPaidAt),
        ...(endedAt && { status: 'canceled', endedAt: at(endedAt) }),
        ...more,
      });
    await payer('2026-05-01T09:00:00Z');
    const first = await payer('2026-05-01T09:00:00Z', '2026-06-30T23:00:00Z', { plan: 'annual', amountPence: 215_100 });
    await payer('2026-05-01T09:00:00Z', '2026-06-30T22:59:59Z');
    const joinedAndLeft = await payer('2026-07-02T09:00:00Z', '2026-07-14T22:59:59Z');
    await payer('2026-07-03T09:00:00Z');
    await payer('2026-05-01T09:00:00Z', '2026-07-14T23:00:00Z');
    // A trial that ended without a payment is not churn.
    await storeSubscription(db, { status: 'canceled', endedAt: at('2026-07-10T09:00:00Z') });

    const period = 'startDate=2026-07-01&endDate=2026-07-14';
    const { json } = await api.call('GET', `/api/admin/money/figures?${period}`, { headers });
    const people = await api.call('GET', `/api/admin/money/people?of=churned&${period}`, { headers });

    expect(json.churned).toEqual({ count: 2, pence: 17_925 + 23_900 });
    expect(json.payers).toEqual({ atStart: 3, joined: 2 });
    expect(idsOf(people.json)).toEqual([joinedAndLeft, first]);
  });

  test('refunds and revenue are of the period, each at its own time', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const hero = await storeLead(db, { utmSource: 'top_sub', visitUtmCampaign: 'spring' });
    const nav = await storeLead(db, { utmSource: 'nav_sub' });
    const ofHero = await storeSubscription(db, { leadId: hero.id });
    const ofNav = await storeSubscription(db, { leadId: nav.id, status: 'canceled' });
    const ofNobody = await storeSubscription(db);
    await pay(db, { subscription: ofHero, pence: 23_900, paidAt: '2026-07-01T09:00:00Z' });
    await pay(db, { subscription: ofHero, pence: 23_900, paidAt: '2026-07-14T22:59:59Z' });
    await pay(db, { subscription: ofHero, pence: 23_900, paidAt: '2026-07-14T23:00:00Z' });
    await pay(db, { subscription: ofNobody, pence: 23_900, paidAt: '2026-05-01T09:00:00Z' });
    const before = await pay(db, { subscription: ofNav, pence: 23_900, paidAt: '2026-06-30T22:59:59Z' });
    await refund(db, before, 3_900, '2026-07-02T09:00:00Z');
    await refund(db, before, 1_000, '2026-07-03T09:00:00Z', 'pending');
    await refund(db, before, 5_000, '2026-07-03T09:00:00Z', 'failed');
    await refund(db, before, 2_000, '2026-07-15T09:00:00Z');
    const dispute = { reason: 'fraudulent', snapshotAt: NOW, stripeChargeId: before };
    await db('stripe_disputes').insert([
      { ...dispute, id: 'dp_lost', amountPence: 700, status: 'lost', openedAt: at('2026-07-05T09:00:00Z') },
      { ...dispute, id: 'dp_won', amountPence: 900, status: 'won', openedAt: at('2026-07-05T09:00:00Z') },
    ]);

    const period = 'startDate=2026-07-01&endDate=2026-07-14';
    const { json } = await api.call('GET', `/api/admin/money/figures?${period}`, { headers });
    const people = await api.call('GET', `/api/admin/money/people?of=refunded&${period}`, { headers });
    const whole = await api.call('GET', '/api/admin/money/figures', { headers });

    expect(json.refunded).toEqual({ count: 2, pence: 4_900 });
    expect(people.json.people).toMatchObject([
      { stripeSubscriptionId: ofNav, pence: 1_000, at: '2026-07-03T09:00:00.000Z' },
      { stripeSubscriptionId: ofNav, pence: 3_900 },
    ]);
    const row = { subscriptions: 1, returnedPence: 0, lostPence: 0, monthlyPence: 23_900 };
    // MRR is of now, so that who pays is listed even without a payment in the period.
    expect(json.revenue).toEqual([
      { ...row, source: 'top_sub', campaign: 'spring', paidPence: 47_800 },
      { ...row, source: null, campaign: null, subscriptions: 0, paidPence: 0 },
      // Whose money was only returned did not pay in the period.
      {
        ...row,
        source: 'nav_sub',
        campaign: null,
        subscriptions: 0,
        paidPence: 0,
        returnedPence: 5_600,
        lostPence: 700,
        monthlyPence: 0,
      },
    ]);
    // Without what was lost in disputes, refunds of a source are those of its list.
    const ofSource = await api.call(
      'GET',
      `/api/admin/money/people?of=refunded&source=nav_sub&without=campaign&${period}`,
      { headers },
    );
    expect(ofSource.json.people.map(({ pence }: { pence: number }) => pence)).toEqual([1_000, 3_900]);
    expect(whole.json.revenue.map(({ paidPence }: { paidPence: number }) => paidPence)).toEqual([
      71_700, 23_900, 23_900,
    ]);
    expect(whole.json.refunded).toEqual({ count: 3, pence: 6_900 });
  });

  test('what was paid is listed by payer, each with all their payments of the period, the latest first', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const [twice, late, once] = [
      await storeSubscription(db),
      await storeSubscription(db, { status: 'canceled' }),
      await storeSubscription(db),
    ];
    await pay(db, { subscription: twice, pence: 23_900, paidAt: '2026-07-01T09:00:00Z' });
    await pay(db, { subscription: twice, pence: 20_315, paidAt: '2026-07-12T09:00:00Z' });
    await pay(db, { subscription: twice, pence: 23_900, paidAt: '2026-07-14T23:00:00Z' });
    await pay(db, { subscription: once, pence: 215_100, paidAt: '2026-07-05T09:00:00Z' });
    await pay(db, { subscription: late, pence: 23_900, paidAt: '2026-07-14T22:59:59Z' });
    await pay(db, { subscription: await storeSubscription(db), pence: 0, paidAt: '2026-07-05T09:00:00Z' });
    await pay(db, { subscription: await storeSubscription(db), pence: 100, paidAt: '2026-06-30T22:59:59Z' });

    const period = 'startDate=2026-07-01&endDate=2026-07-14';
    const { json } = await api.call('GET', `/api/admin/money/figures?${period}`, { headers });
    const people = await api.call('GET', `/api/admin/money/people?of=paid&${period}`, { headers });

    expect(json.paid).toEqual({ count: 3, pence: 23_900 + 20_315 + 215_100 + 23_900 });
    expect(people.json.people).toMatchObject([
      { stripeSubscriptionId: late, pence: 23_900, at: '2026-07-14T22:59:59.000Z' },
      { stripeSubscriptionId: twice, pence: 44_215, at: '2026-07-12T09:00:00.000Z' },
      { stripeSubscriptionId: once, pence: 215_100, at: '2026-07-05T09:00:00.000Z' },
    ]);
    expect(people.json.people).toHaveLength(3);
  });

  test('each source of revenue opens its people, who add up to it', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const sources = [
      { utmSource: 'top_sub', visitUtmCampaign: 'spring' },
      { utmSource: 'top_sub', visitUtmCampaign: 'spring' },
      { utmSource: 'top_sub' },
      { utmSource: 'nav_sub', visitUtmCampaign: 'spring' },
      { visitUtmCampaign: 'spring' },
      {},
      undefined,
    ];
    for (const [n, source] of sources.entries()) {
      const leadId = source && (await storeLead(db, source)).id;
      const subscription = await storeSubscription(db, { leadId, amountPence: 10_000 + n });
      await pay(db, { subscription, pence: 1_000 + n, paidAt: '2026-07-10T09:00:00Z' });
    }

    const { json } = await api.call('GET', '/api/admin/money/figures', { headers });
    expect(json.revenue).toHaveLength(5);
    for (const { source, campaign, subscriptions, paidPence, monthlyPence } of json.revenue) {
      const without = [source ?? 'source', campaign ?? 'campaign'].filter((name) => /^(?:source|campaign)$/.test(name));
      const query = new URLSearchParams({ source: source ?? '', campaign: campaign ?? '', without: without.join(',') });
      const paid = await api.call('GET', `/api/admin/money/people?of=paid&${query}`, { headers });
      const monthly = await api.call('GET', `/api/admin/money/people?of=mrr&${query}`, { headers });
      const sum = (found: { json: { people: { pence: number }[] } }) =>
        found.json.people.reduce((total, { pence }) => total + pence, 0);

      expect([paid.json.people.length, sum(paid), sum(monthly)]).toEqual([subscriptions, paidPence, monthlyPence]);
      expect(paid.json.total).toEqual({ count: subscriptions, pence: paidPence });
      expect(monthly.json.total.pence).toBe(monthlyPence);
    }
    const ofSource = await api.call('GET', '/api/admin/money/people?of=paid&source=top_sub', { headers });
    expect(ofSource.json.people).toHaveLength(3);
    const stage = await api.call('GET', '/api/admin/money/people?of=paying&source=top_sub', { headers });
    expect(stage.json.total.count).toBe(3);
    const ofAll = await api.call('GET', '/api/admin/money/people?of=paid', { headers });
    expect(ofAll.json.total).toBeNull();
  });
});

describe('GET /api/admin/money/people', () => {
  test('lists a stage page by page without a gap, those without a date last', async ({ api, db }) => {
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
        const { json } = await api.call('GET', `/api/admin/money/people?of=${of}&cursor=${cursor}`, { headers });
        listed.push(...idsOf(json));
        cursor = json.nextCursor;
      }
      return listed;
    };
    const paying = await listAll('paying');

    expect(paying.toSorted()).toEqual(stored.toSorted());
    expect(paying.slice(-10).toSorted()).toEqual(stored.slice(0, 10).toSorted());
    expect((await listAll('paid')).toSorted()).toEqual(stored.toSorted());
  });

  test('each stage has the date that matters there, the next first where it lies ahead', async ({ api, db }) => {
    const headers = await api.logIn();
    const [near, far] = [at('2026-07-16T09:00:00Z'), at('2026-07-19T09:00:00Z')];
    const dates = { trial: 'trialEndsAt', paying: 'periodEndsAt', dunning: 'nextPaymentAttemptAt', ended: 'endedAt' };
    const statuses = { trial: 'trialing', paying: 'active', dunning: 'past_due', ended: 'canceled' };
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

  test('refuses a cursor that we did not make, an unknown figure, and a period that ends before it begins', async ({
    api,
  }) => {
    const headers = await api.logIn();
    const read = async (query: string) =>
      (await api.call('GET', `/api/admin/money/people?${query}`, { headers })).status;

    expect(await read('of=mrr&cursor=abc')).toBe(422);
    const noSuchDay = Buffer.from('["2026-13-01 00:00:00","sub_1"]').toString('base64url');
    expect(await read(`of=mrr&cursor=${noSuchDay}`)).toBe(422);
    expect(await read('of=profit')).toBe(422);
    expect(await read('of=paid&without=money')).toBe(422);
    expect(await read('of=paid&without=source&source=top_sub')).toBe(422);
    expect(await read(`of=paid&source=${'a'.repeat(2_049)}`)).toBe(422);
    expect(await read('of=churned&startDate=2026-07-02&endDate=2026-07-01')).toBe(422);
    expect((await api.call('GET', '/api/admin/money/people?of=mrr')).status).toBe(401);
    expect((await api.call('GET', '/api/admin/money/figures')).status).toBe(401);
  });
});
