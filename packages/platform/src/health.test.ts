import { test } from '@site/testing/fixtures';
import express from 'express';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { createDatabase } from './database/connect.ts';
import { beehiivCheck, databaseChecks, redisCheck } from './health-checks.ts';
import { healthRoutes } from './health.ts';
import type { HealthCheck } from './health.ts';
import { createLogger } from './logger.ts';
import { createSyncQueue } from './outbox/sync-queue.ts';
import type { SyncQueue } from './outbox/sync-queue.ts';
import { connectFailFast } from './redis/connect.ts';

const log = createLogger({ service: 'test', level: 'silent' });

async function probe(path: string, checks: HealthCheck[]): Promise<{ status: number; body: unknown }> {
  const app = express();
  app.use(healthRoutes(checks, '1.2.3'));
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

const redisAway = () => queueOn('redis://127.0.0.1:1');

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
  test('is ok if every check passes', async ({ db, redisUrl }) => {
    const queue = await queueReady(redisUrl);
    const answer = await probe('/readyz', [...databaseChecks(db), redisCheck(queue), beehiivCheck(db)]);

    expect(answer).toEqual({
      status: 200,
      body: { status: 'ok', checks: { postgres: 'ok', migrations: 'ok', redis: 'ok', beehiiv: 'ok' } },
    });
  });

  test('stays 200 and says "degraded" without Redis and with Beehiiv paused', async ({ db }) => {
    await db('sync_health').update({
      pausedSince: new Date(),
      pauseReason: 'wrong key',
      pauseSetting: 'BEEHIIV_API_KEY',
      nextProbeAt: new Date(),
    });

    const answer = await probe('/readyz', [...databaseChecks(db), redisCheck(redisAway()), beehiivCheck(db)]);

    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { postgres: 'ok', redis: 'unreachable', beehiiv: 'unreachable' } },
    });
  });

  test('says "degraded" if Redis answers PING and refuses the jobs', async ({ ownValkey }) => {
    const queue = await queueReady(ownValkey.url);
    expect(await probe('/readyz', [redisCheck(queue)])).toMatchObject({ body: { status: 'ok' } });

    const admin = new Redis(ownValkey.url);
    onTestFinished(() => admin.disconnect());
    for (const refusal of ['-set', '+set -evalsha']) {
      await admin.call('ACL', 'SETUSER', 'default', ...refusal.split(' '));

      expect(await admin.ping()).toBe('PONG');
      expect(await probe('/readyz', [redisCheck(queue)])).toMatchObject({ body: { status: 'degraded' } });
    }
  });

  test('says "degraded" in an outage of Beehiiv, and not before', async ({ db }) => {
    await db('sync_health').update({ transientStreak: 4 });
    expect(await probe('/readyz', [beehiivCheck(db)])).toMatchObject({ body: { status: 'ok' } });

    await db('sync_health').update({ transientStreak: 5 });
    expect(await probe('/readyz', [beehiivCheck(db)])).toMatchObject({ status: 200, body: { status: 'degraded' } });
  });

  test('is 503 if a migration is missing', async ({ db }) => {
    await db('knex_migrations').del();

    expect(await probe('/readyz', databaseChecks(db))).toMatchObject({
      status: 503,
      body: { status: 'unavailable', checks: { postgres: 'ok', migrations: 'unreachable' } },
    });
  });

  test('is 503 without Postgres, and does not blame Beehiiv', async () => {
    const db = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
    onTestFinished(() => db.destroy());

    expect(await probe('/readyz', [...databaseChecks(db), beehiivCheck(db)])).toMatchObject({
      status: 503,
      body: { checks: { postgres: 'unreachable', beehiiv: 'ok' } },
    });
  });

  test('answers in time if a check hangs', async () => {
    const hanging: HealthCheck = { name: 'slow', required: false, check: () => new Promise(() => undefined) };

    expect(await probe('/readyz', [hanging])).toMatchObject({ status: 200, body: { checks: { slow: 'unreachable' } } });
  });
});

describe('GET /livez', () => {
  test('is ok while the process runs, whatever is unavailable', async () => {
    expect(await probe('/livez', [redisCheck(redisAway())])).toEqual({
      status: 200,
      body: { status: 'ok', version: '1.2.3' },
    });
  });
});
