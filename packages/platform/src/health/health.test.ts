import { task, recordHeartbeat } from '../database/task.ts';
import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import express from 'express';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { createDatabase } from '../database/connect.ts';
import { CANNOT_WORK, healthRoutes } from './health.ts';
import { createLogger } from '../process/logger.ts';
import { createSyncQueue } from '../outbox/sync-queue.ts';
import type { SyncQueue } from '../outbox/sync-queue.ts';
import { connectFailFast } from '../redis/connect.ts';
import { createHealthReader } from './sync-facts.ts';
import type { HealthSources } from './sync-facts.ts';

const log = createLogger({ service: 'test', level: 'silent' });

async function get(
  path: string,
  sources: Omit<HealthSources, 'maxPendingMs'>,
): Promise<{ status: number; body: unknown }> {
  const app = express();
  const { readShared } = createHealthReader({ maxPendingMs: 15 * 60_000, ...sources });
  app.use(healthRoutes(readShared, CANNOT_WORK));
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  return { status: answer.status, body: await answer.json() };
}

function queueOn(url: string): SyncQueue {
  const redis = connectFailFast(url, log);
  const queue = createSyncQueue({ redis, log, prefix: '{health}' });
  onTestFinished(() => queue.close());
  return queue;
}

async function queueReady(url: string): Promise<SyncQueue> {
  const queue = queueOn(url);
  await vi.waitUntil(() =>
    queue.prove().then(
      () => true,
      () => false,
    ),
  );
  return queue;
}

describe('GET /readyz', () => {
  test('GET /readyz is ok if nothing is wrong', async ({ db, redisUrl }) => {
    await recordHeartbeat(db);

    expect(await get('/readyz', { db, syncQueue: await queueReady(redisUrl) })).toEqual({
      status: 200,
      body: { status: 'ok', conditions: [] },
    });
  });

  test.for([
    [
      'a pause',
      'paused',
      { pausedSince: new Date(), pauseReason: 'x', pauseSetting: 'y', nextProbeAt: new Date() },
    ],
    ['an outage', 'outage', { failureStreak: 5, transientSince: new Date() }],
  ] as const)('GET /readyz stays 200 during %s, and names it', async ([, kind, health], { db }) => {
    await recordHeartbeat(db);
    await db('sync_health').update({ failureStreak: 4 });
    expect(await get('/readyz', { db })).toMatchObject({ body: { status: 'ok' } });

    await db('sync_health').update(health);

    expect(await get('/readyz', { db })).toEqual({
      status: 200,
      body: { status: 'degraded', conditions: [kind] },
    });
  });

  test('GET /readyz stays 200 without a worker and without Redis', async ({ db }) => {
    await storeLead(db);
    await task(db, 'worker').update({ seenAt: db.raw(`sync_now() - interval '31 seconds'`) });

    expect(await get('/readyz', { db, syncQueue: queueOn('redis://127.0.0.1:1') })).toEqual({
      status: 200,
      body: { status: 'degraded', conditions: ['no-worker', 'redis-unavailable'] },
    });
  });

  test('GET /readyz is "degraded" if Redis answers PING but refuses the jobs', async ({
    db,
    ownValkey,
  }) => {
    await recordHeartbeat(db);
    const syncQueue = await queueReady(ownValkey.url);
    const admin = new Redis(ownValkey.url);
    onTestFinished(() => admin.disconnect());
    for (const refusal of ['-set', '+set -evalsha']) {
      await admin.call('ACL', 'SETUSER', 'default', ...refusal.split(' '));

      expect(await admin.ping()).toBe('PONG');
      expect(await get('/readyz', { db, syncQueue })).toMatchObject({
        body: { conditions: ['redis-unavailable'] },
      });
    }
  });

  test('a Redis without free memory is not called unreachable', async ({ db, ownValkey }) => {
    const syncQueue = await queueReady(ownValkey.url);
    const admin = new Redis(ownValkey.url);
    onTestFinished(() => admin.disconnect());
    await admin.config('SET', 'maxmemory', '1');

    const { conditions } = await createHealthReader({ db, maxPendingMs: 1, syncQueue }).read();
    expect(conditions.find(({ kind }) => kind === 'redis-unavailable')?.text).toBe(
      'Redis is out of memory. Leads are stored, and wait until it takes jobs again.',
    );
  });

  test('GET /readyz is 503 for a Postgres that has become read-only', async ({
    db,
    databaseUrl,
  }) => {
    await recordHeartbeat(db);
    const name = new URL(databaseUrl).pathname.slice(1);
    await db.raw(`alter database ?? set default_transaction_read_only = on`, [name]);
    const readOnly = createDatabase({ url: databaseUrl });
    onTestFinished(() => readOnly.destroy());

    expect(await get('/readyz', { db: readOnly })).toMatchObject({
      status: 503,
      body: { conditions: ['cannot-write'] },
    });
  });

  test('GET /readyz is 503 if a migration is missing', async ({ db }) => {
    await recordHeartbeat(db);
    await db('migrations').del();

    expect(await get('/readyz', { db })).toEqual({
      status: 503,
      body: { status: 'unavailable', conditions: ['not-set-up'] },
    });
  });

  test('GET /readyz is 503 without Postgres', async () => {
    const db = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
    onTestFinished(() => db.destroy());

    expect(await get('/readyz', { db })).toMatchObject({
      status: 503,
      body: { conditions: ['cannot-write'] },
    });
  });
});

test('a flood is found among the leads of the last five minutes', async ({ db }) => {
  await recordHeartbeat(db);
  const read = async () =>
    (await createHealthReader({ db, maxPendingMs: 15 * 60_000 }).read()).conditions;
  const storeMany = (many: number, submittedAt: Date) =>
    db.raw(
      `insert into leads (id, email, form_type, beehiiv_status, next_attempt_at, submitted_at)
       select gen_random_uuid(), gen_random_uuid() || '@many.example', 'pre_buy', 'sent', null, ?
       from generate_series(1, ?::int)`,
      [submittedAt, many],
    );
  await storeMany(200, new Date());

  expect((await read()).map(({ text }) => text)).toEqual([
    '200 leads in five minutes, and none on the day before.',
  ]);

  await storeMany(287, new Date(Date.now() - 3_600_000));
  expect((await read()).map(({ text }) => text)).toEqual([
    '200 leads in five minutes, 200 times the usual number.',
  ]);
});

describe('leads from private IP addresses', () => {
  const kinds = async (sources: HealthSources) =>
    (await createHealthReader(sources).read()).conditions.map(({ kind }) => kind);

  test('in production, leads from private IP addresses mean unnamed proxies', async ({ db }) => {
    await recordHeartbeat(db);
    const sources = { db, maxPendingMs: 15 * 60_000, isProduction: true };
    const arrive = (ipAddress: string | null) =>
      storeLead(db, { beehiivStatus: 'sent', ipAddress });

    for (const ip of ['172.18.0.5', null, '10.0.0.1']) await arrive(ip);
    expect(await kinds(sources)).toEqual([]);

    await arrive('fd00::1');
    expect(await kinds(sources)).toEqual(['unusual-traffic']);
    expect(await kinds({ ...sources, isProduction: false })).toEqual([]);

    await arrive('172.32.0.5');
    expect(await kinds(sources)).toEqual([]);
  });
});

test('GET /livez is ok while the process runs, whatever else is unavailable', async () => {
  const db = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  onTestFinished(() => db.destroy());

  expect(await get('/livez', { db })).toEqual({ status: 200, body: { status: 'ok' } });
});
