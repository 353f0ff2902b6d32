import { createDatabase, createPool, isDatabaseUnavailable } from '@site/platform/database/connect';
import { allowLongStatements } from '@site/platform/database/silent-connections';
import { createLogger } from '@site/platform/process/logger';
import { connectFailFast, connectPatient } from '@site/platform/redis/connect';
import { expect } from 'vitest';
import { test as base } from './drill.fixture.ts';
import { startWire } from './wire.ts';
import { within } from './within.ts';

/*
 * Open connections fall silent while new ones work, as after a managed failover. This test has
 * short limits. The long drill `npm run drill` has the whole product and the real limits.
 */

const log = createLogger({ service: 'test', level: 'silent' });
const SILENT_MS = 400;

const test = base.extend('wires', async ({ servers }, { onCleanup }) => {
  const [postgres, redis] = await Promise.all([
    startWire(Number(new URL(servers.postgres.url).port)),
    startWire(servers.valkey.port),
  ]);
  onCleanup(() => Promise.all([postgres.stop(), redis.stop()]).then(() => undefined));
  return { postgres, redis };
});

test('a statement on a silent Postgres connection fails, and the next statement works', async ({
  drill,
  wires,
  onTestFinished,
}) => {
  const db = createDatabase({
    url: wires.postgres.over(drill.databaseUrl),
    maxConnections: 1,
    silentMs: SILENT_MS,
  });
  onTestFinished(() => db.destroy());
  await db.raw('select 1');

  wires.postgres.silence();

  const fault: unknown = await db.raw('select 1').catch((error: unknown) => error);
  expect(isDatabaseUnavailable(fault)).toBe(true);
  expect((await db.raw('select 2 as two')).rows).toEqual([{ two: 2 }]);
});

test('silent connections of sessions and exports are replaced', async ({
  drill,
  wires,
  onTestFinished,
}) => {
  const url = wires.postgres.over(drill.databaseUrl);
  const pool = createPool({ url, applicationName: 'test', silentMs: SILENT_MS, log });
  onTestFinished(() => pool.end());
  await Promise.all([1, 2, 3].map(() => pool.query('select 1')));

  wires.postgres.silence();

  const faults = await Promise.all(
    [1, 2, 3].map(() => pool.query('select 1').catch((error: unknown) => error)),
  );
  expect(faults.map(isDatabaseUnavailable)).toEqual([true, true, true]);
  expect((await pool.query('select 2 as two')).rows).toEqual([{ two: 2 }]);
});

test('only an allowed long statement may keep its Postgres connection silent', async ({
  drill,
  onTestFinished,
}) => {
  const db = createDatabase({ url: drill.databaseUrl, maxConnections: 1, silentMs: SILENT_MS });
  onTestFinished(() => db.destroy());

  await db.transaction(async (trx) => {
    await allowLongStatements(trx, 60_000);
    await trx.raw('select pg_sleep(1)');
  });

  await expect(db.raw('select pg_sleep(1)')).rejects.toThrow('silent');
});

test.for([
  ['of the worker', connectPatient],
  ['of those who cannot wait', connectFailFast],
] as const)(
  'a connection to Redis %s that falls silent is opened again',
  async ([, open], { servers, wires, onTestFinished }) => {
    const redis = open(wires.redis.over(servers.valkey.url), log, SILENT_MS);
    onTestFinished(() => redis.disconnect());
    await within(5_000, 'connected', () => redis.status === 'ready');

    wires.redis.silence();

    // A command that was already sent may fail: callers that cannot wait get an error at once.
    await redis.set('a', '1').catch(() => undefined);
    await within(5_000, 'connected again', () => redis.status === 'ready');
    expect(await redis.set('a', '2')).toBe('OK');
  },
);
