import { showPresence } from '@site/platform/health/worker-presence';
import { advanceSyncClock, pauseSync, storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

test('the state of the sync says how old the statuses of subscribers are', async ({ api, db }) => {
  const headers = await api.logIn();
  const before = await api.call('GET', '/api/admin/sync', { headers });
  await db('comparison').update({ comparedAt: new Date('2026-11-20T03:00:30Z') });

  const after = await api.call('GET', '/api/admin/sync', { headers });

  expect([before.json.statusesAsOf, after.json.statusesAsOf]).toEqual([null, '2026-11-20T03:00:30.000Z']);
});

test('the state is running while a worker is seen, and names what is wrong as soon as one is not', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const read = async () => {
    const { state, conditions, pending } = (await api.call('GET', '/api/admin/sync', { headers })).json;
    return { state, pending, kinds: conditions.map(({ kind }: { kind: string }) => kind), text: conditions[0]?.text };
  };
  await showPresence(db);
  await storeLead(db);
  expect(await read()).toEqual({ state: 'running', pending: 1, kinds: [], text: undefined });

  await advanceSyncClock(db, 31);
  expect(await read()).toEqual({
    state: 'no-worker',
    pending: 1,
    kinds: ['no-worker'],
    text: 'No worker is running, so nothing is being sent. 1 lead waits, nothing is lost.',
  });

  await showPresence(db);
  await pauseSync(db);
  expect(await read()).toMatchObject({ state: 'paused', kinds: ['paused'] });
});

test('an outage lasts for the strip until an addition is accepted, though an update was', async ({ api, db }) => {
  const headers = await api.logIn();
  const read = async () => (await api.call('GET', '/api/admin/sync', { headers })).json;
  await showPresence(db);
  await storeLead(db);
  const since = new Date('2026-11-20T09:00:00Z');
  await db('sync_alerts').insert({ kind: 'outage', since });

  expect(await read()).toMatchObject({ state: 'outage', outage: { since: since.toISOString(), nextAttemptAt: null } });

  await db('sync_health').update({ lastAddedAt: db.raw('sync_now()') });
  expect(await read()).toMatchObject({ state: 'running', outage: null });
});

test('the strip, /readyz and the metrics of the API say the same', async ({ api, db }) => {
  const headers = await api.logIn();
  await db('worker_presence').update({ seenAt: db.raw(`sync_now() - interval '1 minute'`) });
  await db('sync_health').update({ transientStreak: 5, transientSince: db.raw('sync_now()') });

  const strip = (await api.call('GET', '/api/admin/sync', { headers })).json;
  const ready = await api.call('GET', '/readyz');
  const metrics = (await api.call('GET', '/metrics')).text;

  const kinds = ['no-worker', 'outage'];
  expect(strip.conditions.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
  expect(ready).toMatchObject({ status: 200, json: { status: 'degraded', conditions: kinds } });
  const set = [...metrics.matchAll(/^sync_condition\{kind="(.+)"\} 1$/gm)].map(([, kind]) => kind);
  expect(set).toEqual(kinds);
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
