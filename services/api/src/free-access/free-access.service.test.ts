// @module-tag long
import { expect } from 'vitest';
import { test as base } from '../testing/api.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';

const EMAIL = 'Press@reader.example';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const test = base
  .extend('headers', ({ api }) => api.logIn())
  .extend(
    'give',
    ({ api, headers }) =>
      (body: object, key?: string) =>
        api.call('POST', '/api/admin/people/free-access', {
          headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key }) },
          body,
        }),
  );

test('free access counts as paid until its date, and makes a lead', async ({ give, db }) => {
  const until = inDays(30);

  const answer = await give({ email: EMAIL, until, name: 'Edith Rowe' }, 'a');
  await give({ email: EMAIL, until, name: 'Edith Rowe' }, 'a');

  expect(answer).toMatchObject({ status: 200, json: { email: EMAIL, until } });
  expect(await db('people').whereNotNull('tier')).toMatchObject([
    { emailNormalised: EMAIL.toLowerCase(), tier: 'premium' },
  ]);
  expect(await db('leads')).toMatchObject([
    {
      email: EMAIL,
      fullName: 'Edith Rowe',
      consentMarketing: false,
      consentTextVersion: null,
      utmSource: 'operator',
    },
  ]);
  const actions = await db('operator_actions').where({ action: 'free-access' });
  const [lead] = await db('leads');
  expect(actions).toMatchObject([{ subject: lead.id, detail: { until } }]);
  expect(JSON.stringify(actions).toLowerCase()).not.toContain('press');
});

test('free access with a used key and another body is refused, and does nothing', async ({
  give,
  db,
}) => {
  const body = { email: EMAIL, until: inDays(30), name: 'Edith Rowe', reason: 'Reviews us' };
  await give(body, 'a');

  const answers = [
    await give({ ...body, email: 'other@reader.example' }, 'a'),
    await give({ ...body, name: 'Pru Press' }, 'a'),
    await give({ ...body, reason: 'A gift' }, 'a'),
  ];

  for (const answer of answers)
    expect(answer).toMatchObject({ status: 409, json: { type: 'urn:problem:key-reused' } });
  expect(await db('people').pluck('free_name')).toEqual(['Edith Rowe']);
  expect((await give(body, 'a')).json).toMatchObject({ email: EMAIL });
  expect(JSON.stringify(await db('operator_requests')).toLowerCase()).not.toMatch(/press|edith/);
});

test('free access makes no unsubscribed person active', async ({ give, db }) => {
  const pays = 'paying@reader.example';
  const paid = await storeSubscription(db, { email: pays });
  await storeSubscription(db, { email: pays, status: 'canceled' });

  const answers = [
    await give({ email: EMAIL, until: inDays(30) }),
    await give({ email: pays, until: inDays(30) }),
  ];

  expect(answers.map(({ json }) => json.subscriptions)).toEqual([[], [paid]]);
  expect(await db('people').where({ tier: 'premium' })).toHaveLength(2);
  expect(await db('people').where({ mustActivate: true })).toEqual([]);
});

test('free access ends on its date or on request, unless the email pays', async ({ give, db }) => {
  const other = 'paying@reader.example';
  await storeSubscription(db, { email: other });
  for (const email of [EMAIL, other]) await give({ email, until: inDays(1) });
  await db('people')
    .whereNotNull('free_granted_by')
    .update({ freeUntil: new Date(Date.now() - 1_000) });

  const tiers = new Map(
    (await db('people').whereNotNull('tier')).map((row) => [row.emailNormalised, row.tier]),
  );
  expect(Object.fromEntries(tiers)).toEqual({ [EMAIL.toLowerCase()]: 'free', [other]: 'premium' });
  await give({ email: EMAIL, until: inDays(1) });
  await give({ email: EMAIL, until: inDays(-1) });
  expect(await db('people').where({ tier: 'free' })).toHaveLength(1);
});

test('ended free access leaves no row of somebody without a lead or a subscription', async ({
  give,
  db,
}) => {
  const paid = await storeSubscription(db, { email: 'paying@reader.example' });
  const reader = 'reader@reader.example';
  await give({ email: EMAIL, until: inDays(1), name: 'Edith Rowe' });
  await give({ email: reader, withSubscription: paid, name: 'Pru Press' });
  await db('leads').delete();
  await db('people')
    .whereNotNull('free_until')
    .update({ freeUntil: new Date(Date.now() - 1_000) });
  await db('subscriptions').update({ status: 'canceled' });

  expect(await db('people').pluck('email')).toEqual(['paying@reader.example']);
});

test('free access has a name and a reason, on the person and in the list', async ({
  give,
  api,
  headers,
  db,
}) => {
  await give({ email: EMAIL, until: inDays(30), name: ' Pru Press ', reason: 'Reviews us' }, 'a');
  // Ending or prolonging it without them keeps both.
  await give({ email: EMAIL, until: inDays(60) }, 'b');
  const search = async (text: string) =>
    (await api.call('POST', '/api/admin/people/search', { headers, body: { text } })).json.people;

  const found = { email: EMAIL, name: 'Pru Press', freeReason: 'Reviews us' };
  expect(await search('Pru')).toMatchObject([{ ...found, lead: { utmSource: 'operator' } }]);
  const [lead] = await db('leads');
  const { json } = await api.call('GET', `/api/admin/leads/${lead.id}/person`, { headers });
  expect(json.freeAccess).toMatchObject({ name: 'Pru Press', reason: 'Reviews us' });
  expect(JSON.stringify(await db('operator_actions'))).not.toMatch(/Pru|Reviews/);

  await give({ email: EMAIL, until: inDays(60), name: '', reason: '' }, 'c');
  expect(await search('Press@')).toMatchObject([{ name: null, freeReason: null }]);
  const long = { email: EMAIL, until: inDays(60), reason: 'x'.repeat(201) };
  expect((await give(long)).status).toBe(422);
});

test('free access lasts to the end of a London day within ten years', async ({ give }) => {
  await give({ email: EMAIL, until: inDays(30) });
  const lastsUntil = async (day: string) => (await give({ email: EMAIL, until: day })).json.until;

  expect(await lastsUntil('2026-01-31')).toBe('2026-01-31T23:59:59.999Z');
  expect(await lastsUntil('2026-06-30')).toBe('2026-06-30T22:59:59.999Z');
  for (const until of ['soon', inDays(3_700), undefined]) {
    expect(await give({ email: EMAIL, until })).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'until' }] },
    });
  }
});

test('a refused access with a subscription leaves no lead behind', async ({ give, db }) => {
  const ended = await storeSubscription(db, { status: 'canceled', email: 'p@reader.example' });

  const answers = [
    await give({ email: EMAIL, withSubscription: ended }),
    await give({ email: EMAIL, withSubscription: 'sub_unknown' }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([409, 404]);
  expect(await db('leads').where({ emailNormalised: EMAIL.toLowerCase() })).toEqual([]);
});

test('ending the access of somebody who was erased meanwhile brings nobody back', async ({
  api,
  headers,
  give,
  db,
}) => {
  await give({ email: EMAIL, until: inDays(30), name: 'Edith Rowe' });
  await api.call('POST', '/api/admin/people/erase', { headers, body: { email: EMAIL } });

  const answer = await give({ email: EMAIL, until: inDays(-1) });

  expect(answer).toMatchObject({ status: 404 });
  expect(await db('leads')).toEqual([]);
});
