import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import type { OverviewAnswer } from '@site/schema/calls/overview';
import { FUNNEL_STEPS, toFunnelFilter } from '@site/schema/funnel';
import type { FunnelPart, FunnelStep } from '@site/schema/funnel';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import {
  storeCheckout,
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';

const NOW = new Date('2025-12-18T09:31:00Z');
const at = (text: string) => new Date(text.length === 10 ? `${text}T12:00:00Z` : text);

/** Stores rows for every case that could be counted twice or not at all. */
async function keepBooks(db: Database): Promise<void> {
  const lead = (email: string, submittedAt: string, given: object = {}) =>
    storeLead(db, { email, submittedAt: at(submittedAt), ...given });
  const subscribe = async (leadId: string, email: string, given: object) =>
    storeSubscription(db, { leadId, email, stripeCustomerId: `cus_${email}`, ...given });
  const pay = (stripeSubscriptionId: string, paidAt: string, totalPence = 23_900) =>
    storeInvoice(db, { stripeSubscriptionId, totalPence, paidAt: at(paidAt) });
  const linkedIn = { visitUtmSource: 'linkedin', utmSource: 'top_sub' };
  // The person comes by two channels. The first channel counts.
  const ada = await lead('ada@one.example', '2025-11-02', { ...linkedIn, formType: 'pre_sample' });
  await lead('ADA@one.example', '2025-12-01', { visitUtmSource: 'google', utmSource: 'nav_sub' });
  const adas = await subscribe(ada.id, 'ada@one.example', {
    startedAt: at('2025-11-03'),
    firstPaidAt: at('2025-11-10'),
    periodEndsAt: at('2025-12-20'),
  });
  await pay(adas, '2025-11-10');
  const charge = await pay(adas, '2025-12-10');
  await storeRefund(db, charge, { amountPence: 10_000, refundedAt: at('2025-12-11') });
  await storeDispute(db, charge, {
    amountPence: 5_000,
    status: 'lost',
    openedAt: at('2025-12-12'),
  });
  // One in trial, and one whose trial is cancelled.
  const bob = await lead('bob@two.example', '2025-12-15', {
    referrer: 'https://www.google.co.uk/',
    utmSource: 'nav_sub',
  });
  await subscribe(bob.id, 'bob@two.example', {
    status: 'trialing',
    startedAt: at('2025-12-15'),
    trialEndsAt: at('2025-12-22'),
    amountPence: 20_315,
  });
  const cyd = await lead('cyd@two.example', '2025-12-15', {
    visitUtmSource: 'partner_letter',
    visitUtmCampaign: ' winter_sale ',
  });
  const trial = { status: 'trialing', startedAt: at('2025-12-15'), trialEndsAt: at('2025-12-21') };
  await subscribe(cyd.id, 'cyd@two.example', { ...trial, cancelAt: at('2025-12-21') });
  // A payer who left this month, and a payer who only changed the plan.
  const dan = await lead('dan@three.example', '2025-10-01', {
    visitUtmSource: 'LinkedIn',
    utmSource: 'top_sub',
  });
  const over = {
    status: 'canceled',
    firstPaidAt: at('2025-10-09'),
    startedAt: at('2025-10-02'),
    endedAt: at('2025-12-05'),
  };
  await subscribe(dan.id, 'dan@three.example', { ...over, cancellationFeedback: 'too_expensive' });
  const eve = await lead('eve@three.example', '2025-08-01');
  await subscribe(eve.id, 'eve@three.example', { ...over, startedAt: at('2025-08-02') });
  const eves = {
    status: 'active',
    plan: 'annual',
    amountPence: 215_100,
    startedAt: at('2025-12-05'),
  };
  await pay(
    await subscribe(eve.id, 'eve@three.example', { ...eves, firstPaidAt: at('2025-12-05') }),
    '2025-12-05',
    215_100,
  );
  // New this month.
  const fay = await lead('fay@four.example', '2025-12-02', {
    referrer: 'https://www.blog.example/x',
    utmSource: 'nav_sub',
  });
  await pay(
    await subscribe(fay.id, 'fay@four.example', {
      startedAt: at('2025-12-02'),
      firstPaidAt: at('2025-12-09'),
      // Today does not count as one of the next days.
      periodEndsAt: at('2025-12-18T20:00:00Z'),
    }),
    '2025-12-09',
  );
  // These opened only Stripe's page, or not even that.
  await lead('gus@five.example', '2025-12-03');
  await storeCheckout(db, { email: 'gus@five.example', startedAt: at('2025-12-03') });
  for (const n of [1, 2, 3]) {
    await lead(`n${n}@six.example`, '2025-12-04', {
      visitUtmSource: `small ${n}`,
      utmSource: `button ${n}`,
    });
  }
  // These do not count, but hal: automated, an operator's, too early.
  await lead('bot@seven.example', '2025-12-04', {
    quarantineReason: 'too fast',
    beehiivStatus: 'failed',
  });
  await lead('gift@seven.example', '2025-12-04', {
    consentTextVersion: null,
    utmSource: 'operator',
  });
  await lead('hal@gmail.example', '2025-12-05');
  await lead('old@seven.example', '2025-09-19T22:59:59Z');
}

describe('GET /api/admin/overview', () => {
  test('the overview has the next days, and the origin of payers', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    await keepBooks(db);

    const day = '2025-12-18';
    await db('visits').insert([
      { day: '2025-09-19', part: 'page', name: '/', count: 1_000 },
      { day: '2025-09-20', part: 'page', name: '/', count: 100 },
      { day, part: 'page', name: '/subscribe', count: 20 },
      { day, part: 'channel', name: 'LinkedIn', count: 70 },
      { day, part: 'channel', name: 'A new site', count: 50 },
      { day, part: 'campaign', name: 'Winter sale', count: 30 },
      { day, part: 'campaign', name: 'other', count: 90 },
    ] as never);

    const { json } = await operator.get('overview');

    const { funnel, week } = json as OverviewAnswer;
    expect(week).toEqual({
      startDate: '2025-12-19',
      endDate: '2025-12-25',
      trials: 1,
      renewals: 1,
      pence: 23_900 + 20_315,
      currency: 'gbp',
    });
    expect(funnel).toMatchObject({
      visits: 120,
      people: 10,
      checkouts: 6,
      trials: 5,
      paying: 2,
      inTrial: 2,
      monthlyPence: 47_800,
    });
    const visitsOf = (rows: OverviewAnswer['funnel']['channels']) =>
      rows.filter(({ visits }) => visits).map(({ name, visits }) => [name, visits]);
    expect(visitsOf(funnel.channels)).toEqual([
      ['LinkedIn', 70],
      ['other', 50],
    ]);
    expect(visitsOf(funnel.campaigns)).toEqual([
      ['Winter sale', 30],
      ['other', 90],
    ]);
    expect(
      funnel.channels.map(({ name, people, trials, paying }) => [name, people, trials, paying]),
    ).toEqual([
      ['Direct', 2, 0, 0],
      ['LinkedIn', 2, 2, 1],
      ['Google', 1, 1, 0],
      ['Partner letter', 1, 1, 0],
      ['Small 1', 1, 0, 0],
      ['Small 2', 1, 0, 0],
      ['other', 2, 1, 1],
    ]);
    expect(funnel.buttons.map(({ name, people, paying }) => [name, people, paying])).toEqual([
      ['', 3, 0],
      ['nav_sub', 2, 1],
      ['top_sub', 2, 1],
      ['button 1', 1, 0],
      ['button 2', 1, 0],
      ['button 3', 1, 0],
    ]);
    expect(funnel.campaigns.map(({ name, people, trials }) => [name, people, trials])).toEqual([
      ['', 9, 4],
      ['Winter sale', 1, 1],
      ['other', 0, 0],
    ]);
  });

  test('every number of the overview counts exactly the people in the list that it opens', async ({
    api,
    db,
  }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    await keepBooks(db);
    const get = async (path: string) => (await api.call('GET', path, { headers })).json;
    const { funnel } = (await get('/api/admin/overview')) as OverviewAnswer;

    const leads = async (step: FunnelStep, part?: FunnelPart, name?: string) => {
      const dates = { startDate: funnel.startDate, endDate: funnel.endDate };
      const query = new URLSearchParams({ ...dates, funnel: toFunnelFilter(step, part, name) });
      const { leads: listed, counts } = await get(`/api/admin/leads?${query.toString()}`);
      expect(counts.total).toBe(listed.length);
      return listed.length as number;
    };
    const stepsOf = (row: { people: number; checkouts: number; trials: number; paying: number }) =>
      FUNNEL_STEPS.slice(0, 4).map(
        (step, n) => [step, [row.people, row.checkouts, row.trials, row.paying][n]] as const,
      );
    for (const [step, count] of stepsOf(funnel))
      expect([step, await leads(step)]).toEqual([step, count]);
    expect(await leads('in-trial')).toBe(funnel.inTrial);
    expect(await leads('left')).toBe(funnel.trials - funnel.paying - funnel.inTrial);
    for (const [part, rows] of [
      ['channel', funnel.channels],
      ['button', funnel.buttons],
      ['campaign', funnel.campaigns],
    ] as const) {
      for (const row of rows) {
        for (const [step, count] of stepsOf(row)) {
          expect([part, row.name, step, await leads(step, part, row.name)]).toEqual([
            part,
            row.name,
            step,
            count,
          ]);
        }
      }
    }
  });

  test('the funnel is of the days that are asked for, London days inclusive', async ({
    api,
    operator,
    db,
  }) => {
    api.clock.moveTo(NOW);
    await keepBooks(db);
    const read = async (query: string) => {
      const { status, json } = await operator.get(`overview?${query}`);
      return status === 200 ? (json as OverviewAnswer).funnel : status;
    };

    expect(await read('startDate=2025-12-15&endDate=2025-12-15')).toMatchObject({
      startDate: '2025-12-15',
      endDate: '2025-12-15',
      people: 2,
      trials: 2,
    });
    expect(await read('startDate=2025-12-15')).toMatchObject({ endDate: '2025-12-18', people: 2 });
    expect(await read('endDate=2025-10-31')).toMatchObject({
      startDate: '2025-08-03',
      people: expect.any(Number),
    });
    expect(await read('startDate=2025-12-16&endDate=2025-12-15')).toBe(422);
  });

  test('more than ten thousand leads are cut at a named time', async ({ api, operator, db }) => {
    api.clock.moveTo(NOW);
    await db.raw(
      `insert into leads (id, email, form_type, submitted_at, consent_text_version)
       select gen_random_uuid(), 'n' || n || '@many.example', 'pre_buy',
         '2025-12-17T00:00:00Z'::timestamptz + n * interval '1 second', '2025-12'
       from generate_series(0, 10000) n`,
    );

    const { json } = await operator.get('overview');

    expect((json as OverviewAnswer).funnel).toMatchObject({
      people: 10_000,
      countedSince: '2025-12-17T00:00:00.000Z',
    });
  });

  test('cancelled trials of this month are counted with their reasons', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    const trial = { startedAt: at('2025-12-01'), trialEndsAt: at('2025-12-08') };
    const cancelled = { ...trial, firstPaidAt: null, canceledAt: at('2025-12-03') };
    await storeSubscription(db, {
      ...cancelled,
      status: 'trialing',
      cancellationFeedback: 'switched_service',
    });
    await storeSubscription(db, { ...cancelled, status: 'canceled', endedAt: at('2025-12-03') });
    // Paid, unpaid after the trial, and last month's.
    await storeSubscription(db, { ...cancelled, firstPaidAt: at('2025-12-08') });
    await storeSubscription(db, { ...cancelled, canceledAt: at('2025-12-09') });
    await storeSubscription(db, { ...cancelled, canceledAt: at('2025-11-30T23:59:59Z') });
    const get = async (path: string) => (await api.call('GET', path, { headers })).json;

    expect((await get('/api/admin/overview')).cancelledTrials).toEqual({
      count: 2,
      reasons: [{ reason: 'switched_service', count: 1 }],
    });
    const days = 'startDate=2025-12-01&endDate=2025-12-31';
    const { people } = await get(`/api/admin/money/people?of=cancelled-trials&${days}`);
    expect(people).toHaveLength(2);
    const { months } = await get('/api/admin/money/history?months=1');
    expect(months).toMatchObject([{ endedPayers: 0 }]);
  });

  test('a payer by the sample’s offers counts for the sample', async ({ api, db }) => {
    const headers = await api.logIn();
    api.clock.moveTo(NOW);
    // As the sample site sends the lead: our own page linked there.
    await storeLead(db, {
      email: 'ada@one.example',
      formType: 'pre_sample',
      submittedAt: at('2025-12-04'),
      referrer: 'http://127.0.0.1:3000/',
    });
    const payer = await storeLead(db, {
      email: 'ada@one.example',
      submittedAt: at('2025-12-05'),
      consentTextVersion: null,
      utmSource: 'sample',
    });
    await storeSubscription(db, {
      leadId: payer.id,
      email: 'ada@one.example',
      startedAt: at('2025-12-05'),
      firstPaidAt: at('2025-12-12'),
    });
    // The browser no longer knew the sample's email.
    const later = { consentTextVersion: null, utmSource: 'sample', submittedAt: at('2025-12-06') };
    await storeLead(db, { email: 'ben@one.example', ...later });
    const get = async (path: string) => (await api.call('GET', path, { headers })).json;

    const { funnel } = (await get('/api/admin/overview')) as OverviewAnswer;

    const row = { people: 2, checkouts: 1, trials: 1, paying: 1, monthlyPence: 23_900 };
    expect(funnel.buttons).toEqual([{ name: 'sample_site', ...row, visits: null }]);
    expect(funnel.channels).toEqual([{ name: 'Free sample', ...row, visits: 0 }]);
    const of = encodeURIComponent(toFunnelFilter('paying', 'channel', 'Free sample'));
    const listed = await get(`/api/admin/leads?funnel=${of}`);
    expect(listed.leads).toMatchObject([{ email: 'ada@one.example', formType: 'pre_sample' }]);
    // Leads, charts and the panel name the same source and channel.
    const { sources } = await get('/api/admin/charts');
    expect(sources).toEqual([{ source: 'sample_site', isRest: false, preSample: 1, preBuy: 2 }]);
    const bySource = await get('/api/admin/leads?source=sample_site');
    expect(bySource.leads).toHaveLength(3);
    expect((await get('/api/admin/leads?without=source')).leads).toEqual([]);
    const [first] = listed.leads;
    expect(await get(`/api/admin/leads/${first.id}`)).toMatchObject({ channel: 'Free sample' });
  });

  test('the next days expect the charges of the seven London days after today', async ({
    api,
    operator,
    db,
  }) => {
    const now = at('2026-07-25T12:00:00Z');
    api.clock.moveTo(now);
    const ends = at('2026-07-28T09:00:00Z');
    await storeSubscription(db, { status: 'trialing', trialEndsAt: ends });
    await storeSubscription(db, { periodEndsAt: ends, cancelAt: at('2026-08-20T09:00:00Z') });
    // 23:00 UTC is midnight in London.
    const last = { plan: 'annual', amountPence: 215_100, periodEndsAt: at('2026-08-01T22:59:59Z') };
    await storeSubscription(db, last);
    await storeSubscription(db, { periodEndsAt: at('2026-08-01T23:00:00Z') });
    await storeSubscription(db, { periodEndsAt: at('2026-07-25T22:59:59Z') });
    await storeSubscription(db, { status: 'trialing', trialEndsAt: at('2026-07-25T22:59:59Z') });
    await storeSubscription(db, { status: 'trialing', trialEndsAt: at('2026-07-25T23:00:00Z') });
    await storeSubscription(db, { periodEndsAt: ends, cancelAt: ends });
    await storeSubscription(db, { status: 'trialing', trialEndsAt: ends, cancelAt: ends });
    await storeSubscription(db, { periodEndsAt: ends, isCollectionPaused: true });
    await storeSubscription(db, { periodEndsAt: ends, amountPence: 0 });
    await storeSubscription(db, { status: 'canceled', periodEndsAt: ends });

    const { json } = await operator.get('overview');

    expect(json.week).toMatchObject({
      startDate: '2026-07-26',
      endDate: '2026-08-01',
      trials: 2,
      renewals: 2,
      pence: 215_100 + 3 * 23_900,
    });
  });
});
