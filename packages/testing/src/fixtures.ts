import { randomUUID } from 'node:crypto';

import { createDatabase } from '@site/platform/database/connect';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { inject, test as base } from 'vitest';

import { rollBackOpen } from './builders.ts';
import { createTestDatabase, dropTestDatabase } from './database.ts';
import { startOwnPostgres, startOwnValkey } from './own-servers.ts';
import type { ProvidedInfra } from './provided-infra.ts';

/**
 * `test` with fixtures, created only if a test names them. `databaseUrl` and `db` are the test's
 * own migrated database, `redisPrefix` its own part of the shared Redis, and `ownPostgres` and
 * `ownValkey` servers it may stop and start. Anything that uses them should also be a fixture with
 * `onCleanup`: fixtures are removed in reverse order, before the functions given to
 * `onTestFinished` run.
 */
export const test = base
  .extend('infra', { scope: 'file' }, (): ProvidedInfra => inject('infra'))
  // One connection for a whole file, because connecting takes as long as creating a database.
  .extend('admin', { scope: 'file' }, async ({ infra }, { onCleanup }) => {
    const admin = new Client({ connectionString: infra.adminUrl });
    await admin.connect();
    onCleanup(() => admin.end());
    return admin;
  })
  .extend('adminRedis', { scope: 'file' }, ({ infra }, { onCleanup }) => {
    const redis = new Redis(infra.redisUrl);
    onCleanup(async () => {
      await redis.quit();
    });
    return redis;
  })
  .extend('databaseUrl', async ({ infra, admin }, { onCleanup }) => {
    const { adminUrl, templateDatabase } = infra;
    const name = `t_${randomUUID().replaceAll('-', '')}`;
    const url = await createTestDatabase(adminUrl, name, templateDatabase, admin);
    onCleanup(() => dropTestDatabase(adminUrl, name, admin));
    return url;
  })
  .extend('db', async ({ databaseUrl }, { onCleanup }) => {
    const db = createDatabase({ url: databaseUrl, maxConnections: 10 });
    onCleanup(async () => {
      await rollBackOpen();
      await db.destroy();
    });
    return db;
  })
  .extend('redisUrl', ({ infra }) => infra.redisUrl)
  .extend('redis', async ({ redisUrl }, { onCleanup }) => {
    const redis = new Redis(redisUrl, { maxRetriesPerRequest: 3 });
    onCleanup(async () => {
      await redis.quit();
    });
    return redis;
  })
  // The braces put all keys of a prefix in one slot, which BullMQ's scripts need on a Redis
  // Cluster.
  .extend('redisPrefix', ({ adminRedis }, { onCleanup }) => {
    const prefix = `{t-${randomUUID()}}`;
    onCleanup(() => deleteKeys(adminRedis, prefix));
    return prefix;
  })
  .extend('ownPostgres', async ({ onTestFinished }) => {
    const server = await startOwnPostgres();
    onTestFinished(() => server.remove());
    return server;
  })
  .extend('ownValkey', async ({ onTestFinished }) => {
    const server = await startOwnValkey();
    onTestFinished(() => server.remove());
    return server;
  });

async function deleteKeys(redis: Redis, prefix: string): Promise<void> {
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
    if (Array.isArray(keys) && keys.length > 0) await redis.unlink(...keys.map(String));
  }
}
