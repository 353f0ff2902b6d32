import { createLogger } from '@site/platform/logger';
import { showPresence } from '@site/platform/worker-presence';
import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { startHook } from '@site/testing/alert-hook';
import { test as base } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { checkWorkers } from './worker-watch.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const test = base.extend('hook', async ({ onTestFinished }) => {
  const hook = await startHook();
  onTestFinished(() => hook.close());
  return hook;
});

test('a minute without a worker is reported once, and its return once, by several API processes', async ({
  db,
  hook,
}) => {
  const deps = { db, log, webhookUrl: hook.url };
  const check = () => Promise.all([checkWorkers(deps), checkWorkers(deps), checkWorkers(deps)]);
  await showPresence(db);
  await storeLead(db);
  await advanceSyncClock(db, 55);
  await check();
  expect(hook.told).toEqual([]);

  await advanceSyncClock(db, 65);
  await check();
  await check();
  expect(hook.told).toMatchObject([{ event: 'no-worker', text: expect.stringContaining('1 waiting, nothing lost') }]);

  await showPresence(db);
  await check();
  await check();
  expect(hook.told.slice(1)).toMatchObject([{ event: 'recovered', of: 'no-worker' }]);
});

test('the alerts of the workers are left to them', async ({ db, hook }) => {
  await db('sync_alerts').insert({ kind: 'outage', since: new Date(), alertedAt: new Date() });
  await showPresence(db);

  await checkWorkers({ db, log, webhookUrl: hook.url });

  expect(hook.told).toEqual([]);
  expect(await db('sync_alerts')).toHaveLength(1);
});
