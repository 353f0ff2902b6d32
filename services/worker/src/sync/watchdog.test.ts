import { createLogger } from '@site/platform/process/logger';
import { recordHeartbeat } from '@site/platform/database/task';
import { advanceSyncClock, pauseSync, storeAttempt, storeLead } from '@site/testing/builders';
import { test as base } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { restartIfStalled } from './watchdog.ts';
import type { WatchdogDeps } from './watchdog.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const MINUTES = 60_000;

/**
 * A worker that has run for an hour. Its clock continues while it shows its presence, and nothing
 * else happens.
 */
const test = base.extend('watched', async ({ db }) => {
  let restarts = 0;
  const deps: WatchdogDeps = {
    db,
    log,
    syncQueue: { prove: () => Promise.resolve() },
    restart: () => (restarts += 1),
    uptimeMs: () => 60 * MINUTES,
  };
  await recordHeartbeat(db);
  let seconds = 0;
  return {
    deps,
    restarts: () => restarts,
    async passTime(more: number) {
      for (let left = more; left > 0; left -= 20) {
        seconds += Math.min(left, 20);
        await advanceSyncClock(db, seconds);
        await recordHeartbeat(db);
      }
      await restartIfStalled(deps);
    },
  };
});

test('a worker whose due leads do not move ends after two minutes, once in ten', async ({
  db,
  watched,
}) => {
  await storeLead(db);

  await watched.passTime(110);
  expect(watched.restarts()).toBe(0);
  await watched.passTime(20);
  expect(watched.restarts()).toBe(1);
  await watched.passTime(9 * 60);
  expect(watched.restarts()).toBe(1);
  await watched.passTime(61);
  expect(watched.restarts()).toBe(2);
});

test.for([
  ['nothing is due', async () => undefined],
  ['the sync is paused', async (db) => void (await Promise.all([storeLead(db), pauseSync(db)]))],
  [
    'the newsletter asks for patience',
    async (db) => {
      await storeLead(db);
      await db('rate_limiter').update({ resumesAt: db.raw(`sync_now() + interval '4 minutes'`) });
    },
  ],
  [
    'its email is leased',
    async (db) => {
      const { emailNormalised } = await storeLead(db);
      const leasedUntil = db.raw(`sync_now() + interval '1 hour'`);
      await db('email_leases').insert({
        emailNormalised,
        leasedBy: crypto.randomUUID(),
        leasedUntil,
      });
    },
  ],
] as [string, (db: WatchdogDeps['db']) => Promise<void>][])(
  'a worker carries on if %s',
  async ([, arrange], { db, watched }) => {
    await arrange(db);

    await watched.passTime(200);

    expect(watched.restarts()).toBe(0);
  },
);

test('a worker carries on while another one claims leads', async ({ db, watched }) => {
  const { id } = await storeLead(db);
  await watched.passTime(100);
  const startedAt = db.raw('sync_now()');
  await storeAttempt(db, { leadId: id, class: 'transient', startedAt });

  await watched.passTime(100);
  expect(watched.restarts()).toBe(0);
  await watched.passTime(40);
  expect(watched.restarts()).toBe(1);
});

test('a worker carries on without Redis', async ({ db, watched }) => {
  await storeLead(db);
  watched.deps.syncQueue.prove = () => Promise.reject(new Error('Redis is unavailable'));

  await expect(watched.passTime(200)).rejects.toThrow('Redis');

  expect(watched.restarts()).toBe(0);
});
