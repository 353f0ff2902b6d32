import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';
import { task } from '@site/platform/database/task';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';

async function storeDifference(db: Database, given: Partial<Row<'differences'>>): Promise<number> {
  const [row] = await db('differences')
    .insert({ kind: 'missing-there', emailNormalised: 'ada@reader.example', ...given })
    .returning('id');
  return row.id;
}

test('the list has the differences of the last comparison, each with its remedy', async ({
  operator,
  db,
}) => {
  expect((await operator.get('differences')).json).toEqual({
    comparedAt: null,
    subscribersRead: null,
    failure: null,
    retryAt: null,
    differences: [],
    counts: {},
    fixable: {},
    people: 0,
  });
  const sentAt = new Date('2026-11-03T10:00:00Z');
  const lead = await storeLead(db, { beehiivStatus: 'sent', beehiivSentAt: sentAt });
  const startedAt = new Date('2026-10-01T10:00:00Z');
  const subscription = await storeSubscription(db, { startedAt });
  await task(db, 'comparison').update({
    coversUntil: new Date('2026-11-20T03:00:30Z'),
    detail: { unknown: 5_000 },
  });
  const missing = await storeDifference(db, { leadId: lead.id, remedy: 'add-again' });
  const gift = await storeDifference(db, {
    kind: 'premium-not-paying',
    emailNormalised: 'gift@reader.example',
    stripeSubscriptionId: subscription,
    subscriberStatus: 'active',
    remedy: 'set-free',
    requestedAt: new Date(),
  });

  const { status, json } = await operator.get('differences');

  expect(status).toBe(200);
  const [one, two] = json.differences;
  expect(json).toEqual({
    comparedAt: '2026-11-20T03:00:30.000Z',
    subscribersRead: null,
    failure: null,
    retryAt: null,
    differences: [one, two],
    counts: { 'missing-there': 1, 'premium-not-paying': 1, 'unknown-here': 5_000 },
    fixable: { 'missing-there': 1, 'premium-not-paying': 0 },
    people: 5_002,
  });
  expect(one).toEqual({
    id: missing,
    kind: 'missing-there',
    email: 'ada@reader.example',
    leadId: lead.id,
    sentAt: sentAt.toISOString(),
    remedy: 'add-again',
    isRequested: false,
  });
  expect(two).toEqual({
    id: gift,
    kind: 'premium-not-paying',
    email: 'gift@reader.example',
    stripeSubscriptionId: subscription,
    subscribedAt: startedAt.toISOString(),
    subscriberStatus: 'active',
    remedy: 'set-free',
    isRequested: true,
  });
});

test('a payer who is not active is one difference, named and counted once', async ({
  operator,
  db,
}) => {
  await storeDifference(db, { kind: 'missing-there', emailNormalised: 'gone@reader.example' });
  await storeDifference(db, { kind: 'missing-there' });
  await storeDifference(db, { kind: 'pays-not-active' });
  await storeDifference(db, { kind: 'pays-twice' });

  const { json } = await operator.get('differences');

  expect(json.differences.map(({ kind }: { kind: string }) => kind)).toEqual([
    'missing-there',
    'pays-not-active',
    'pays-twice',
  ]);
  expect(json.counts).toEqual({ 'missing-there': 1, 'pays-not-active': 1, 'pays-twice': 1 });
  expect(json.people).toBe(2);
});

test('a difference is put right on request, which the audit log records once', async ({
  operator,
  db,
}) => {
  const lead = await storeLead(db, { email: 'ada@reader.example' });
  const id = await storeDifference(db, { leadId: lead.id, remedy: 'add-again' });

  const answers = [
    await operator.post(`differences/${id}/remedy`),
    await operator.post(`differences/${id}/remedy`),
  ];

  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const person = await operator.get(`leads/${lead.id}/person`);
  expect(person.json.differences).toEqual([{ id, remedy: 'add-again', isRequested: true }]);
  expect(await db('differences').first()).toMatchObject({ requestedAt: expect.any(Date) });
  expect(await db('operator_actions').where({ action: 'remedy' })).toMatchObject([
    { subject: lead.id, detail: { kind: 'missing-there', remedy: 'add-again' } },
  ]);
});

test('all safe differences of a kind are put right together, each on record', async ({
  api,
  operator,
  db,
}) => {
  const lead = await storeLead(db, { email: 'ada@reader.example' });
  const missing = await storeDifference(db, { leadId: lead.id, remedy: 'add-again' });
  const requestedAt = new Date('2026-11-20T03:00:00Z');
  const before = await storeDifference(db, {
    emailNormalised: 'before@reader.example',
    remedy: 'add-again',
    requestedAt,
  });
  const payer = { kind: 'pays-not-active', emailNormalised: 'payer@reader.example' } as const;
  const unpaid = await storeDifference(db, { ...payer, remedy: 'set-premium' });
  // A payer is listed only under `pays-not-active`.
  await storeDifference(db, { ...payer, kind: 'missing-there', remedy: 'add-again' });
  await storeDifference(db, { kind: 'premium-not-paying', remedy: 'set-free' });
  const fix = (kind: string) => operator.post('differences/remedies', { kind });
  const listed = await operator.get('differences');
  expect(listed.json.fixable).toEqual({
    'missing-there': 1,
    'pays-not-active': 1,
    'premium-not-paying': 0,
  });

  const answers = [
    await fix('missing-there'),
    await fix('pays-not-active'),
    await fix('premium-not-paying'),
    await fix('unsubscribed'),
  ];

  expect(answers.map(({ status, json }) => [status, json.requested])).toEqual([
    [202, 1],
    [202, 1],
    [202, 0],
    [202, 0],
  ]);
  const requested = await db('differences').whereNotNull('requestedAt').orderBy('id').pluck('id');
  expect(requested).toEqual([missing, before, unpaid]);
  expect(await db('differences').where({ id: before }).first()).toMatchObject({ requestedAt });
  expect(await db('operator_actions').where({ action: 'remedy' }).orderBy('id')).toMatchObject([
    {
      operator: 'j.holt',
      subject: lead.id,
      detail: { kind: 'missing-there', remedy: 'add-again' },
    },
    { subject: null, detail: { kind: 'pays-not-active', remedy: 'set-premium' } },
  ]);
  expect((await fix('everything')).status).toBe(422);
  const anybody = { body: { kind: 'missing-there' } };
  expect((await api.call('POST', '/api/admin/differences/remedies', anybody)).status).toBe(401);
});

test('the differences are compared again on request', async ({ operator, db }) => {
  const readProgress = async () => (await operator.get('differences')).json.subscribersRead;

  const answer = await operator.post('differences/compare');

  expect([answer.status, await readProgress()]).toEqual([202, 0]);
  const leasedUntil = new Date(Date.now() + 60_000);
  await task(db, 'comparison').update({
    requestedAt: null,
    leasedBy: randomUUID(),
    leasedUntil,
    detail: { subscribersRead: 300 },
  });
  await operator.post('differences/compare');
  expect(await readProgress()).toBe(300);
  expect(await task(db, 'comparison').first()).toMatchObject({ requestedAt: null });
  const { json } = await operator.get('audit?action=compare');
  expect(json.actions).toMatchObject([{ operator: 'j.holt' }, { operator: 'j.holt' }]);
});

test('differences that only a person can decide are not put right', async ({ operator, db }) => {
  const id = await storeDifference(db, { kind: 'unsubscribed' });

  const answers = [
    await operator.post(`differences/${id}/remedy`),
    await operator.post('differences/999/remedy'),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  expect(await db('differences').first()).toMatchObject({ requestedAt: null });
});
