import { pauseSync } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

test('the state of the sync says how old the statuses of subscribers are', async ({ api, db }) => {
  const headers = await api.logIn();
  const before = await api.call('GET', '/api/admin/sync', { headers });
  await db('comparison').update({ comparedAt: new Date('2026-11-20T03:00:30Z') });

  const after = await api.call('GET', '/api/admin/sync', { headers });

  expect([before.json.statusesAsOf, after.json.statusesAsOf]).toEqual([null, '2026-11-20T03:00:30.000Z']);
});

describe('POST /api/admin/sync/probe', () => {
  test('makes the probe of a pause due, and leaves a sync alone that runs', async ({ api, db }) => {
    const headers = await api.logIn();
    const ask = async () => api.call('POST', '/api/admin/sync/probe', { headers });
    const { nextProbeAt: before } = (await db('sync_health').first('nextProbeAt'))!;

    expect((await ask()).status).toBe(202);
    expect(await db('sync_health').first('nextProbeAt')).toEqual({ nextProbeAt: before });

    await pauseSync(db);
    await db('sync_health').update({ nextProbeAt: new Date(Date.now() + 3_600_000) });
    expect((await ask()).status).toBe(202);

    const { nextProbeAt } = (await db('sync_health').first('nextProbeAt'))!;
    expect(nextProbeAt!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await db('operator_actions').where({ action: 'probe' })).toHaveLength(1);
  });
});
