import { buildOutcome, storeLead } from '@site/testing/builders';
import { claimLead } from '@site/platform/outbox/claim';
import { recordOutcome } from '@site/platform/outbox/outcome';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';
import { storeSubscription } from '../testing/subscription.fixture.ts';

test('a correction copies the lead to the new email, linked both ways', async ({ api, db }) => {
  const headers = await api.logIn();
  const first = await storeLead(db, {
    email: 'oliver@gmial.example',
    phone: '+44 1',
    utmSource: 'top_sub',
    consentPage: '/',
  });

  const answer = await api.call('POST', `/api/admin/leads/${first.id}/correct`, {
    headers,
    body: { email: 'oliver@gmail.example' },
  });

  expect(answer.status).toBe(201);
  const detail = await api.call('GET', `/api/admin/leads/${answer.json.id}`, { headers });
  expect(detail.json).toMatchObject({
    lead: {
      email: 'oliver@gmail.example',
      phone: '+44 1',
      utmSource: 'top_sub',
      consentTextVersion: first.consentTextVersion,
      consentTimestamp: first.consentTimestamp?.toISOString(),
      beehiivStatus: 'pending',
      correctedFrom: first.id,
    },
    correctedFrom: { id: first.id },
  });
  const before = await api.call('GET', `/api/admin/leads/${first.id}`, { headers });
  expect(before.json).toMatchObject({
    lead: { beehiivStatus: 'failed', isCorrected: true },
  });
  expect(await db('leads').where({ id: first.id }).first('correctedTo')).toEqual({
    correctedTo: answer.json.id,
  });
  const dry = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: { filter: {}, dryRun: true },
  });
  expect(dry.json.count).toBe(0);
});

test('a correction leaves the email a lead if it still pays for a subscription', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const paid = { email: 'boss@reader.example', leadId: null };
  await storeSubscription(db, paid);
  await storeSubscription(db, { ...paid, email: 'ended@reader.example', status: 'canceled' });
  for (const email of [paid.email, 'ended@reader.example']) {
    const { id } = await storeLead(db, { email, fullName: 'Oliver' });
    const body = { email: 'oliver@reader.example' };
    await api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body });
  }

  const left = await db('leads')
    .whereNull('correctedTo')
    .whereNot({ email: 'oliver@reader.example' });
  expect(left).toMatchObject([{ email: paid.email, fullName: null, beehiivStatus: 'pending' }]);
});

test('a correction takes a lead out of the failed ones and keeps the counters', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const failed = {
    beehiivStatus: 'failed',
    nextAttemptAt: null,
    beehiivResponse: '422: no',
  } as const;
  const mistyped = await storeLead(db, { ...failed, email: 'oliver@gmial.example' });
  const robot = await storeLead(db, {
    ...failed,
    quarantineReason: 'too fast',
    submittedAt: new Date('2026-01-01'),
  });
  const still = await storeLead(db, failed);
  for (const [id, email] of [
    [mistyped.id, 'oliver@gmail.example'],
    [robot.id, 'person@reader.example'],
  ]) {
    await api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body: { email } });
  }
  const read = async (query: string) => {
    const { json } = await api.call('GET', `/api/admin/leads?${query}`, { headers });
    return { ...json, ids: json.leads.map(({ id }: { id: string }) => id) };
  };

  const [all, searched] = [await read(''), await read('search=example')];

  const statusCounts = { pending: 2, sent: 0, failed: 1, quarantined: 0, corrected: 2 };
  expect(all).toMatchObject({ counts: { total: 3 }, statusCounts });
  expect(searched).toMatchObject({ counts: { total: 5 }, statusCounts });
  expect((await read('status=failed')).ids).toEqual([still.id]);
  expect((await read('status=corrected')).ids).toEqual([mistyped.id, robot.id]);
  expect((await read('status=quarantined')).ids).toEqual([]);
  expect((await read('startDate=2026-01-01&endDate=2026-01-01')).statusCounts).toMatchObject({
    corrected: 1,
  });
});

test('a correction leaves counters, charts, list and CSV as they were', async ({ api, db }) => {
  const headers = await api.logIn();
  const left = {
    beehiivStatus: 'sent',
    nextAttemptAt: null,
    subscriberStatus: 'inactive',
  } as const;
  const given = { ...left, utmSource: 'top_sub' };
  const mistyped = await storeLead(db, { ...given, email: 'oliver@gmial.example' });
  await storeLead(db, { ...given, email: 'ada@reader.example', formType: 'pre_sample' });
  const body = { email: 'oliver@gmail.example' };
  const { json: right } = await api.call('POST', `/api/admin/leads/${mistyped.id}/correct`, {
    headers,
    body,
  });
  const read = async (path: string, query: string) =>
    api.call('GET', `/api/admin/${path}?${query}`, { headers });
  /** Counts a filter's leads in each of its views. */
  const countAll = async (query: string) => {
    const { leads, counts } = (await read('leads', query)).json;
    const { days, sources } = (await read('charts', query)).json;
    const { text } = await read('leads/export/csv', query);
    type Bar = { preSample: number; preBuy: number };
    const sum = (bars: Bar[]) => bars.reduce((all, bar) => all + bar.preSample + bar.preBuy, 0);
    return [
      leads.length,
      counts.total,
      sum(days),
      sum(sources),
      text.trim().split('\r\n').length - 1,
    ];
  };

  const { counts, statusCounts, subscribers } = (await read('leads', '')).json;

  expect(counts).toEqual({ total: 2, preSample: 1, preBuy: 1, beehiivSent: 1 });
  expect(statusCounts).toMatchObject({ pending: 1, sent: 1, failed: 0, corrected: 1 });
  expect(subscribers).toMatchObject({ unsubscribed: 1, other: 0 });
  expect(await countAll('')).toEqual([2, 2, 2, 2, 2]);
  expect(await countAll('formType=pre_buy')).toEqual([1, 1, 1, 1, 1]);
  expect(await countAll('source=top_sub')).toEqual([2, 2, 2, 2, 2]);
  expect(await countAll('subscriber=unsubscribed')).toEqual([1, 1, 1, 1, 1]);
  // A search finds it, and so does its own status.
  expect(await countAll('search=oliver')).toEqual([2, 2, 2, 2, 2]);
  expect(await countAll('search=oliver&subscriber=unsubscribed')).toEqual([0, 0, 0, 0, 0]);
  for (const query of ['status=corrected', 'search=gmial', 'search=gmial&status=corrected'])
    expect((await read('leads', query)).json.leads).toMatchObject([
      { id: mistyped.id, isCorrected: true },
    ]);
  expect((await read('leads', 'search=gmial&status=sent')).json.leads).toEqual([]);
  const ids = `ids=${mistyped.id},${right.id}`;
  expect((await read('leads/export/csv', ids)).text).toContain('oliver@gmial.example');
});

test('a correction counts even if the lead was being sent and is then rejected', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const { id } = await storeLead(db, { email: 'oliver@gmial.example' });
  const run = await claimLead(db, { attemptId: randomUUID(), worker: 'w' });
  const body = { email: 'oliver@gmail.example' };
  const corrected = await api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body });

  const rejected = buildOutcome({
    class: 'permanent',
    httpStatus: 422,
    response: '422 {}',
    isOutcomeKnown: true,
  });
  expect(await recordOutcome(db, run!, rejected, { move: 'failed' })).toBe(true);

  const read = async (query: string) =>
    (await api.call('GET', `/api/admin/leads?${query}`, { headers })).json;
  expect((await read('status=corrected')).leads).toMatchObject([
    { id, beehiivStatus: 'failed', isCorrected: true },
  ]);
  expect((await read('status=failed')).leads).toEqual([]);
  for (const query of ['', 'search=oliver']) {
    expect((await read(query)).statusCounts).toMatchObject({ pending: 1, failed: 0, corrected: 1 });
  }
  const detail = await api.call('GET', `/api/admin/leads/${corrected.json.id}`, { headers });
  expect(detail.json.lead).toMatchObject({ isCorrected: false });
});

test('a correction works once, and not with the same email', async ({ api, db }) => {
  const headers = await api.logIn();
  const { id, email } = await storeLead(db);
  const correct = (to: string) =>
    api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body: { email: to } });

  expect((await correct(email.toUpperCase())).status).toBe(422);
  expect((await correct('a b@x.example')).status).toBe(422);
  expect((await correct('right@reader.example')).status).toBe(201);
  expect((await correct('other@reader.example')).status).toBe(409);
});

test('a lead that was corrected twice names its newest correction', async ({ api, db }) => {
  const headers = await api.logIn();
  let { id } = await storeLead(db, {
    email: 'one@reader.example',
    submittedAt: new Date('2026-01-01'),
  });
  for (const email of ['two@reader.example', 'three@reader.example']) {
    ({ id } = (
      await api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body: { email } })
    ).json);
  }

  for (const text of ['one@reader.example', 'two@reader.example']) {
    const { json } = await api.call('POST', '/api/admin/people/search', {
      headers,
      body: { text },
    });
    expect(json.people).toMatchObject([{ lead: { correctedTo: 'three@reader.example' } }]);
  }
});

test('a corrected lead leaves its email to somebody of another name', async ({ api, db }) => {
  const headers = await api.logIn();
  const { email } = await storeLead(db, { fullName: 'Tom Berger' });
  const { id } = await storeLead(db, { email, fullName: 'Priya Raman' });

  const left = await api.call('POST', `/api/admin/leads/${id}/correct`, {
    headers,
    body: { email: 'elsewhere@reader.example' },
  });

  expect(left.json).toMatchObject({ stayed: [] });
  const { json } = await api.call('POST', '/api/admin/people/search', {
    headers,
    body: { text: email },
  });
  expect(json.people).toMatchObject([
    { name: 'Tom Berger', lead: { isCorrected: false, correctedTo: null } },
  ]);
  const person = await api.call('GET', `/api/admin/leads/${json.people[0].leadIds[0]}/person`, {
    headers,
  });
  expect(person.json.lead).toMatchObject({ fullName: 'Tom Berger', isCorrected: false });
});

test('a nameless lead moves alone, a named lead with leads of the same or no name', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const email = 'kim@raeder.example';
  const names = [null, null, 'Kim Lee', 'kim lee', 'Lee Kim'];
  const leads: string[] = [];
  for (const fullName of names) leads.push((await storeLead(db, { email, fullName })).id);
  const correct = async (n: number) =>
    api.call('POST', `/api/admin/leads/${leads[n]}/correct`, {
      headers,
      body: { email: `kim${n}@reader.example` },
    });
  const moved = async () => {
    const rows = await db('leads').whereIn('id', leads).whereNotNull('correctedTo').pluck('id');
    return leads.flatMap((id, n) => (rows.includes(id) ? [n] : []));
  };

  await correct(0);
  expect(await moved()).toEqual([0]);
  await correct(2);
  expect(await moved()).toEqual([0, 1, 2, 3]);
});

test('a correction moves the email’s checkouts, and none counts as abandoned', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const email = 'kim@raeder.example';
  const { id: leadId } = await storeLead(db, { email });
  const ended = { startedAt: new Date(), snapshotAt: new Date(), email, leadId };
  await db('checkouts').insert([
    { ...ended, stripeCheckoutSessionId: 'cs_left', state: 'abandoned' },
    { ...ended, stripeCheckoutSessionId: 'cs_paid', state: 'complete' },
    {
      ...ended,
      stripeCheckoutSessionId: 'cs_other',
      state: 'complete',
      email: 'finance@acquirers.example',
    },
  ]);

  const body = { email: 'Kim@reader.example' };
  const { json } = await api.call('POST', `/api/admin/leads/${leadId}/correct`, { headers, body });

  expect(
    await db('checkouts').orderBy('stripeCheckoutSessionId').select('email', 'leadId'),
  ).toEqual([
    { ...body, leadId: json.id },
    { email: 'finance@acquirers.example', leadId },
    { ...body, leadId: json.id },
  ]);
  expect(
    (await api.call('GET', '/api/admin/checkouts/abandoned', { headers })).json.people,
  ).toEqual([]);
});

test('a correction moves a checkout that did not open, and an email keeps one', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const email = 'kim@raeder.example';
  const { id: leadId } = await storeLead(db, { email });
  const hindered = {
    state: 'not-opened',
    hindrance: 'stripe-away',
    startedAt: new Date(),
    snapshotAt: new Date(),
  };
  // Stored while the lead was not.
  await db('checkouts').insert({ ...hindered, email });
  const correct = async (id: string, to: string) =>
    (await api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body: { email: to } }))
      .json.id;

  const movedId = await correct(leadId, 'kim@redear.example');
  expect(await db('checkouts').pluck('email')).toEqual(['kim@redear.example']);
  await db('checkouts').update({ leadId: movedId });

  await db('checkouts').insert({ ...hindered, email: 'kim@reader.example' });
  await correct(movedId, 'kim@reader.example');
  expect(await db('checkouts').pluck('email')).toEqual(['kim@reader.example']);
});
