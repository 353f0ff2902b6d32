import { buildOutcome, storeLead } from '@site/testing/builders';
import { claimLead } from '@site/platform/outbox/claim';
import { recordOutcome } from '@site/platform/outbox/outcome';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';
import { storeCheckout, storeSubscription } from '@site/testing/money-builders';

test('a correction moves the lead to the new email, where it is sent', async ({ operator, db }) => {
  const first = await storeLead(db, {
    email: 'oliver@gmial.example',
    phone: '+44 1',
    utmSource: 'top_sub',
    consentPage: '/',
    beehiivStatus: 'sent',
    beehiivSentAt: new Date(),
    beehiivResponse: '201',
    beehiivReason: 'accepted',
    subscriberStatus: 'inactive',
    consentDueAt: new Date(),
    outcomeUnknown: true,
    nextAttemptAt: null,
  });
  await db('differences').insert({
    kind: 'missing-there',
    emailNormalised: first.emailNormalised,
    leadId: first.id,
    remedy: 'add-again',
    requestedAt: new Date(),
  });

  const answer = await operator.post(`leads/${first.id}/correct`, {
    email: 'oliver@gmail.example',
  });

  expect(answer).toMatchObject({ status: 200, json: { id: first.id, stayed: [] } });
  const detail = await operator.get(`leads/${first.id}`);
  expect(detail.json).toMatchObject({
    lead: {
      email: 'oliver@gmail.example',
      phone: '+44 1',
      utmSource: 'top_sub',
      submittedAt: first.submittedAt.toISOString(),
      consentTextVersion: first.consentTextVersion,
      consentTimestamp: first.consentTimestamp?.toISOString(),
      beehiivStatus: 'pending',
      beehiivResponse: null,
      beehiivReason: null,
      beehiivSentAt: null,
      subscriberStatus: null,
    },
    formerEmail: 'oliver@gmial.example',
    history: [
      { kind: 'form' },
      { kind: 'action', detail: 'correct', subject: 'oliver@gmial.example', operator: 'j.holt' },
      { kind: 'unsubscribe' },
    ],
  });
  expect(await db('leads')).toMatchObject([
    {
      syncRound: 2,
      budgetSpent: 0,
      roundStartedAt: first.consentTimestamp,
      consentDueAt: null,
      outcomeUnknown: false,
    },
  ]);
  expect(await db('differences')).toEqual([]);
});

test('the database moves a lead only to pending in its next round', async ({ db }) => {
  const { id } = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
  const change = (to: object) => db('leads').where({ id }).update(to);

  await expect(change({ email: 'other@reader.example' })).rejects.toThrow('cannot go');
  await expect(change({ beehiivStatus: 'pending', syncRound: 2 })).rejects.toThrow('cannot go');
  await change({ email: 'other@reader.example', beehiivStatus: 'pending', syncRound: 2 });
});

test('a correction leaves the email a lead if it still pays for a subscription', async ({
  operator,
  db,
}) => {
  const paid = { email: 'boss@reader.example', leadId: null };
  await storeSubscription(db, paid);
  await storeSubscription(db, { ...paid, email: 'ended@reader.example', status: 'canceled' });
  for (const email of [paid.email, 'ended@reader.example']) {
    const { id } = await storeLead(db, { email, fullName: 'Oliver' });
    const body = { email: 'oliver@reader.example' };
    await operator.post(`leads/${id}/correct`, body);
  }

  const left = await db('leads').whereNot({ email: 'oliver@reader.example' });
  expect(left).toMatchObject([{ email: paid.email, fullName: null, beehiivStatus: 'pending' }]);
});

test('a correction leaves counters, charts, list and CSV as they were', async ({
  operator,
  db,
}) => {
  const left = {
    beehiivStatus: 'sent',
    nextAttemptAt: null,
    subscriberStatus: 'inactive',
  } as const;
  const given = { ...left, utmSource: 'top_sub' };
  const mistyped = await storeLead(db, { ...given, email: 'oliver@gmial.example' });
  await storeLead(db, { ...given, email: 'ada@reader.example', formType: 'pre_sample' });
  const body = { email: 'oliver@gmail.example' };
  await operator.post(`leads/${mistyped.id}/correct`, body);
  const read = async (path: string, query: string) => operator.get(`${path}?${query}`);
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
  expect(statusCounts).toMatchObject({ pending: 1, sent: 1, failed: 0 });
  expect(subscribers).toMatchObject({ unsubscribed: 1, other: 0 });
  expect(await countAll('')).toEqual([2, 2, 2, 2, 2]);
  expect(await countAll('formType=pre_buy')).toEqual([1, 1, 1, 1, 1]);
  expect(await countAll('source=top_sub')).toEqual([2, 2, 2, 2, 2]);
  expect(await countAll('subscriber=unsubscribed')).toEqual([1, 1, 1, 1, 1]);
  expect(await countAll('search=oliver')).toEqual([1, 1, 1, 1, 1]);
});

test('a run of the mistyped email does not move a corrected lead', async ({ operator, db }) => {
  const { id } = await storeLead(db, { email: 'oliver@gmial.example' });
  const run = await claimLead(db, { attemptId: randomUUID(), worker: 'w' });
  const body = { email: 'oliver@gmail.example' };
  await operator.post(`leads/${id}/correct`, body);
  expect(await db('lead_sync_attempts')).toMatchObject([
    { emailNormalised: 'oliver@gmial.example', class: null },
  ]);
  const again = await claimLead(db, { attemptId: randomUUID(), worker: 'w' });

  const accepted = buildOutcome({ class: 'accepted', httpStatus: 201, isOutcomeKnown: true });
  const subscriber = { id: 'sub_1', status: 'active' };
  expect(await recordOutcome(db, run!, accepted, { move: 'sent', subscriber })).toBe(false);

  // It is being added under its new email, and was found to be on the list under the former.
  expect(again).toMatchObject({ lead: { id, ...body }, mayBeThereAlready: false });
  expect(await db('leads')).toMatchObject([{ id, ...body, beehiivStatus: 'pending' }]);
  expect(await db('lead_sync_attempts').orderBy('round')).toMatchObject([
    { emailNormalised: null, class: 'accepted' },
    { emailNormalised: body.email, class: null },
  ]);
});

test('a correction needs another email', async ({ operator, db }) => {
  const { id, email } = await storeLead(db);
  const correct = (to: string) => operator.post(`leads/${id}/correct`, { email: to });

  expect((await correct(email.toUpperCase())).status).toBe(422);
  expect((await correct('a b@x.example')).status).toBe(422);
  expect((await correct('right@reader.example')).status).toBe(200);
});

test('a correction leaves somebody else with the mistyped email untouched', async ({ api, db }) => {
  const headers = await api.logIn();
  const email = 'tom@reader.example';
  const own = await storeLead(db, { email, fullName: 'Tom Berger' });
  const { id } = await storeLead(db, { email, fullName: 'Priya Raman' });
  const read = async () => ({
    leads: await db('leads').where({ id: own.id }),
    differences: await db('differences'),
    requests: await db('removal_requests').where({ kind: 'unsubscribe' }),
  });
  const before = await read();
  const call = (path: string, body: object) => api.call('POST', path, { headers, body });

  await call(`/api/admin/leads/${id}/correct`, { email: 'priya@reader.example' });
  const held = await call('/api/admin/people/export', { email: 'priya@reader.example' });
  await call('/api/admin/people/erase', { email: 'priya@reader.example' });

  expect(JSON.stringify(held.json)).not.toContain('Berger');
  expect(await read()).toEqual(before);
  expect(await db('people').pluck('email_normalised')).toEqual([email]);
  expect(await db('removal_requests').where({ kind: 'erasure' })).toHaveLength(1);
});

test('after a correction, a repeat reaches the lead, and a new form is somebody else', async ({
  api,
  operator,
  db,
}) => {
  const submit = (key: string, consentMarketing: boolean) =>
    api.call('POST', '/api/lead/subscribe', {
      headers: { 'Idempotency-Key': key },
      body: { email: 'ada@raeder.example', formType: 'pre_buy', consentMarketing },
    });
  const first = await submit('one', false);
  await operator.post(`leads/${first.json.id}/correct`, { email: 'ada@reader.example' });

  const repeat = await submit('one', true);
  const other = await submit('two', false);

  expect(repeat).toMatchObject({ status: 200, json: { id: first.json.id } });
  expect(other.status).toBe(201);
  expect(await db('leads').orderBy('emailNormalised')).toMatchObject([
    { id: other.json.id, email: 'ada@raeder.example', consentMarketing: false },
    { id: first.json.id, email: 'ada@reader.example', consentMarketing: true },
  ]);
});

test('a nameless lead moves alone, a named lead with leads of the same or no name', async ({
  operator,
  db,
}) => {
  const email = 'kim@raeder.example';
  const names = [null, null, 'Kim Lee', 'kim lee', 'Lee Kim'];
  const leads: string[] = [];
  for (const fullName of names) leads.push((await storeLead(db, { email, fullName })).id);
  const correct = async (n: number) =>
    operator.post(`leads/${leads[n]}/correct`, { email: `kim${n}@reader.example` });
  const moved = async () => {
    const rows = await db('leads').whereIn('id', leads).whereNot({ email }).pluck('id');
    return leads.flatMap((id, n) => (rows.includes(id) ? [n] : []));
  };

  await correct(0);
  expect(await moved()).toEqual([0]);
  await correct(2);
  expect(await moved()).toEqual([0, 1, 2, 3]);
});

test('a correction moves the email’s checkouts, and none counts as abandoned', async ({
  operator,
  db,
}) => {
  const email = 'kim@raeder.example';
  const { id: leadId } = await storeLead(db, { email });
  const paid = { stripeCheckoutSessionId: 'cs_paid', state: 'complete', leadId };
  await storeCheckout(db, { stripeCheckoutSessionId: 'cs_left', email, leadId });
  await storeCheckout(db, { ...paid, email });
  const other = { stripeCheckoutSessionId: 'cs_other', email: 'finance@acquirers.example' };
  await storeCheckout(db, { ...paid, ...other });

  const body = { email: 'Kim@reader.example' };
  await operator.post(`leads/${leadId}/correct`, body);

  expect(
    await db('checkouts').orderBy('stripeCheckoutSessionId').select('email', 'leadId'),
  ).toEqual([
    { ...body, leadId },
    { email: 'finance@acquirers.example', leadId },
    { ...body, leadId },
  ]);
  expect((await operator.get('checkouts/abandoned')).json.people).toEqual([]);
});

test('a correction moves a checkout that did not open, and an email keeps one', async ({
  operator,
  db,
}) => {
  const email = 'kim@raeder.example';
  const { id: leadId } = await storeLead(db, { email });
  const storeHindered = (of: string) =>
    storeCheckout(db, {
      stripeCheckoutSessionId: null,
      state: 'not-opened',
      hindrance: 'stripe-away',
      email: of,
    });
  // Stored while the lead was not.
  await storeHindered(email);
  const correct = async (id: string, to: string) =>
    (await operator.post(`leads/${id}/correct`, { email: to })).json.id;

  const movedId = await correct(leadId, 'kim@redear.example');
  expect(await db('checkouts').pluck('email')).toEqual(['kim@redear.example']);
  await db('checkouts').update({ leadId: movedId });

  await storeHindered('kim@reader.example');
  await correct(movedId, 'kim@reader.example');
  expect(await db('checkouts').pluck('email')).toEqual(['kim@reader.example']);
});
