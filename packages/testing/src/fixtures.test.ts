// @module-tag long
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { describe, expect } from 'vitest';

import { test } from './fixtures.ts';

test('databases of tests are migrated and empty', async ({ db }) => {
  const [row] = await db('leads').count({ n: '*' });

  expect(row).toEqual({ n: 0 });
});

test('databases of tests are separate for each test', async ({ db, databaseUrl }) => {
  const own = new URL(databaseUrl).pathname.slice(1);

  const { rows } = await db.raw('select current_database() as name');

  expect(rows).toEqual([{ name: own }]);
});

test('Redis in tests has a prefix within one cluster slot', async ({ redis, redisPrefix }) => {
  await redis.set(`${redisPrefix}:key`, 'value');

  expect(await redis.get(`${redisPrefix}:key`)).toBe('value');
  expect(redisPrefix).toMatch(/^\{t-[0-9a-f-]+\}$/);
});

describe('servers of one test', () => {
  test('Postgres keeps its data and URL over a restart', async ({ ownPostgres }) => {
    const ask = async (sql: string) => {
      const client = new Client({ connectionString: ownPostgres.url });
      await client.connect();
      try {
        return await client.query(sql);
      } finally {
        await client.end();
      }
    };
    await ask('create table kept as select 7 as n');

    await ownPostgres.stop();
    await expect(ask('select 1')).rejects.toThrow('ECONNREFUSED');
    await ownPostgres.start();

    expect((await ask('select n from kept')).rows).toEqual([{ n: 7 }]);
  });

  test('Valkey restarts empty at the same URL', async ({ ownValkey }) => {
    const redis = new Redis(ownValkey.url, { retryStrategy: () => 20 });
    redis.on('error', () => undefined);
    await redis.set('key', 'value');

    await ownValkey.restart();

    expect(await redis.get('key')).toBeNull();
    await redis.quit();
  });
});
