import { storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { startApi, test as base } from '../testing/api.fixture.ts';
import { unreachableDatabase } from '../testing/shop.fixture.ts';

const SECRET = 'secret-of-beehiiv-webhook-0123456789';
const PATH = `/api/beehiiv/events/${SECRET}`;
const email = 'ada@reader.example';
const event = {
  uid: 'evt_1',
  event_timestamp: 1_795_000_000,
  event_type: 'subscription.deleted',
  data: { id: 'sub_1', email: 'ADA@reader.example', status: 'inactive' },
};

const test = base.extend('api', ({ newApi }) => newApi({ BEEHIIV_WEBHOOK_SECRET: SECRET }));

test('an event makes the person’s check due, and changes nothing else', async ({ api, db }) => {
  await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null });
  const [before] = await db('people');

  const answer = await api.call('POST', PATH, { body: event });

  expect(answer).toMatchObject({ status: 204, text: '' });
  const [{ checkDueAt, heardAt, ...after }] = await db('people');
  expect({ ...after, checkDueAt: null, heardAt: null }).toEqual(before);
  expect([checkDueAt, heardAt]).toEqual([expect.any(Date), expect.any(Date)]);
});

test('a replayed event is one check', async ({ api, db }) => {
  await storeLead(db, { email });
  await api.call('POST', PATH, { body: event });
  const [first] = await db('people');

  await api.call('POST', PATH, { body: event });

  expect((await db('people'))[0].checkDueAt).toEqual(first.checkDueAt);
});

test.for([
  ['about nobody of ours', { ...event, data: { email: 'else@reader.example' } }],
  ['of an unknown kind', { ...event, event_type: 'post.sent' }],
  ['without an email', { ...event, data: { id: 'sub_1' } }],
  ['with an impossible email', { ...event, data: { email: 'a\0b@reader.example' } }],
  ['of another shape', { data: ['ada@reader.example'] }],
  ['without anything', {}],
] as const)('an event %s leaves nothing', async ([, body], { api, db }) => {
  await storeLead(db, { email });

  const answer = await api.call('POST', PATH, { body });

  expect(answer.status).toBe(204);
  expect(await db('people')).toMatchObject([{ emailNormalised: email, checkDueAt: null }]);
});

test('an event about an erased person restores nothing', async ({ api, db }) => {
  const { id } = await storeLead(db, { email });
  await db('leads').where({ id }).delete();
  await db('people').delete();

  expect((await api.call('POST', PATH, { body: event })).status).toBe(204);

  expect(await db('people')).toEqual([]);
});

test.for([
  ['a wrong secret', `${PATH}x`],
  ['no secret', '/api/beehiiv/events/'],
  ['another method', PATH],
] as const)('%s is answered like any unknown URL', async ([what, path], { api }) => {
  const method = what === 'another method' ? 'GET' : 'POST';
  const unknown = await api.call(method, '/api/nothing');
  // The body is not read, so that its size shows nothing.
  const body = method === 'POST' ? { body: 'x'.repeat(70_000) } : {};

  const answer = await api.call(method, path, body);

  const withoutId = ({ requestId: _, ...rest }: Record<string, unknown>) => rest;
  expect(answer.status).toBe(404);
  expect(withoutId(answer.json)).toEqual(withoutId(unknown.json));
});

base('without the setting the URL does not exist', async ({ api }) => {
  expect((await api.call('POST', PATH, { body: event })).status).toBe(404);
});

test('a body over 64 KiB is refused', async ({ api }) => {
  const body = { ...event, padding: 'x'.repeat(65_536) };

  expect((await api.call('POST', PATH, { body })).status).toBe(413);
});

base(
  'Beehiiv is asked to send again while Postgres is away',
  async ({ databaseUrl, redisUrl, redisPrefix, onTestFinished }) => {
    const infra = { databaseUrl, redisUrl, redisPrefix };
    const db = unreachableDatabase();
    const api = await startApi(infra, { BEEHIIV_WEBHOOK_SECRET: SECRET }, { db });
    onTestFinished(() => api.close());

    const answer = await api.call('POST', PATH, { body: event });

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  },
);

test('the secret is in no metric', async ({ api }) => {
  await api.call('POST', PATH, { body: event });
  await api.call('POST', `${PATH}/more`, { body: event });

  const metrics = (await api.call('GET', '/metrics')).text;

  expect(metrics).toContain('route="/api/beehiiv/events/{secret}"');
  expect(metrics).not.toContain(SECRET);
});
