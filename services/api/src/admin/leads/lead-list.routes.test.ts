import { storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeSubscription } from '../../testing/subscription.fixture.ts';

/** The fields that a row of the list shows or its actions need. */
const ROW =
  'id email fullName company formType submittedAt updatedAt utmSource utmCampaign country region city beehiivStatus beehiivReason beehiivResponse beehiivSentAt subscriberStatus nextAttemptAt failedAt quarantineReason isCorrected consentMarketing state'.split(
    ' ',
  );
/** The other fields that the specification gives a lead. */
const SPECIFIED =
  'phone message consentTimestamp utmMedium utmTerm utmContent gclid fbclid ttclid landingPage firstPage referrer sessionId gaClientId userAgent ipAddress deviceType createdAt'.split(
    ' ',
  );

test('the list sends the specified fields and those of its columns, and nothing else', async ({
  api,
  db,
}) => {
  const { id } = await storeLead(db, {
    ipAddress: '203.0.113.9',
    visitUtmSource: 'newsletter',
    traceId: 't',
  });
  const headers = await api.logIn();

  const { json } = await api.call('GET', '/api/admin/leads', { headers });

  expect(Object.keys(json.leads[0]).toSorted()).toEqual([...ROW, ...SPECIFIED].toSorted());
  expect(json.leads[0]).toMatchObject({ id, ipAddress: '203.0.113.9' });
  const { json: detail } = await api.call('GET', `/api/admin/leads/${id}`, { headers });
  const { state: _, ...row } = json.leads[0];
  expect(detail.lead).toMatchObject({
    ...row,
    visitUtmSource: 'newsletter',
    traceId: 't',
  });
});

test('a lead has the state of its person', async ({ api, db }) => {
  const email = 'ada@x.example';
  const headers = await api.logIn();
  await storeLead(db, { email: 'Ada@x.example' });
  await storeLead(db, { email: 'automated@x.example', quarantineReason: 'filled in a trap' });
  const readStates = async () =>
    (await api.call('GET', '/api/admin/leads?sort=oldest', { headers })).json.leads.map(
      ({ state }: { state: unknown }) => state,
    );

  const states = [await readStates()];
  const stripeSubscriptionId = await storeSubscription(db, {
    email,
    status: 'trialing',
    firstPaidAt: null,
  });
  states.push(await readStates());
  for (const change of [{ status: 'active', firstPaidAt: new Date() }, { status: 'canceled' }]) {
    await db('subscriptions').where({ stripeSubscriptionId }).update(change);
    await db.raw('select refresh_person(?)', [email]);
    states.push(await readStates());
  }

  expect(states).toEqual([
    ['none', 'none'],
    ['trial', 'none'],
    ['paying', 'none'],
    ['ended', 'none'],
  ]);
});

test('a list is sent compressed, and a file is not', async ({ api, db }) => {
  for (let n = 0; n < 3; n++) await storeLead(db);
  const headers = { ...(await api.logIn()), 'Accept-Encoding': 'gzip' };
  const get = async (path: string) => fetch(`${api.url}/api/admin/${path}`, { headers });

  const [list, file] = [await get('leads'), await get('leads/export/csv')];

  expect([list, file].map((answer) => answer.headers.get('Content-Encoding'))).toEqual([
    'gzip',
    null,
  ]);
  expect(((await list.json()) as { leads: unknown[] }).leads).toHaveLength(3);
  expect((await file.text()).trim().split('\r\n')).toHaveLength(4);
});

test('the list counts leads newer than `upTo`, except with the oldest first', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const get = async (query: string) =>
    (await api.call('GET', `/api/admin/leads?${query}`, { headers })).json;
  const [older, first] = [
    await storeLead(db, { submittedAt: new Date('2025-12-03T09:00:00Z') }),
    await storeLead(db, { submittedAt: new Date('2025-12-03T09:01:00Z') }),
  ];
  const { topCursor, newer: none } = await get('');
  const later = await storeLead(db, { submittedAt: new Date('2025-12-03T09:02:00Z') });

  const { leads, newer, counts } = await get(`upTo=${topCursor}`);
  const oldest = await get(`upTo=${topCursor}&sort=oldest`);

  expect(leads.map(({ id }: { id: string }) => id)).toEqual([first.id, older.id]);
  expect([none, newer, counts.total]).toEqual([0, 1, 3]);
  expect(oldest.leads.map(({ id }: { id: string }) => id)).toEqual([older.id, first.id, later.id]);
  expect(oldest.newer).toBe(0);
});
