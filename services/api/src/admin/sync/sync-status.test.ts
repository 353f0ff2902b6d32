import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

test('the state of the sync says how old the statuses of subscribers are', async ({ api, db }) => {
  const headers = await api.logIn();
  const before = await api.call('GET', '/api/admin/sync', { headers });
  await db('comparison').update({ comparedAt: new Date('2026-11-20T03:00:30Z') });

  const after = await api.call('GET', '/api/admin/sync', { headers });

  expect([before.json.statusesAsOf, after.json.statusesAsOf]).toEqual([null, '2026-11-20T03:00:30.000Z']);
});
