import { advanceSyncClock } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import type { Sandbox } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { endPause } from '@site/platform/health/sync-health';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { reconcileWhenDue } from './comparison.ts';

const never = new AbortController().signal;

const depsFor = (db: Database, sandbox: Sandbox) => ({
  ...connectTestNewsletter({ sandbox }, db),
  db,
  newId: randomUUID,
  backoffBaseMs: 20,
  random: Math.random,
});

test('the nightly comparison runs once a night, in one process', async ({ db, sandbox }) => {
  const deps = depsFor(db, sandbox);
  expect(await reconcileWhenDue(deps, never)).toBeNull();
  await task(db, 'comparison').update({ seenAt: new Date(Date.now() - 25 * 3_600_000) });

  const ended = await Promise.all([1, 2, 3].map(() => reconcileWhenDue(deps, never)));

  expect(ended.filter((comparison) => comparison !== null)).toHaveLength(1);
  expect(await reconcileWhenDue(deps, never)).toBeNull();
});

test('a comparison runs when an operator asks for it, once', async ({ db, sandbox }) => {
  const deps = depsFor(db, sandbox);
  await task(db, 'comparison').update({ requestedAt: new Date() });

  expect(await reconcileWhenDue(deps, never)).toMatchObject({ failure: null, requestedAt: null });
  expect(await reconcileWhenDue(deps, never)).toBeNull();
});

test('the nightly comparison is tried again five minutes after it has failed', async ({
  db,
  sandbox,
}) => {
  const deps = depsFor(db, sandbox);
  const noon = new Date().setUTCHours(36, 0, 0, 0) - Date.now();
  const at = (minutes: number) => advanceSyncClock(db, noon / 1_000 + minutes * 60);
  await at(0);
  sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 503, times: 6 });
  const failed = await reconcileWhenDue(deps, never);

  await at(4);
  const early = await reconcileWhenDue(deps, never);
  await at(6);
  const again = await reconcileWhenDue(deps, never);

  expect(failed).toMatchObject({ failure: expect.stringContaining('503') });
  expect(early).toBeNull();
  expect(again).toMatchObject({ failure: null, retryAt: null });
  expect(await reconcileWhenDue(deps, never)).toBeNull();
});

test('a comparison that a pause broke is tried again when the pause ends', async ({
  db,
  sandbox,
}) => {
  const deps = depsFor(db, sandbox);
  await task(db, 'comparison').update({ seenAt: new Date(Date.now() - 25 * 3_600_000) });
  sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 401, times: 1 });
  const failed = await reconcileWhenDue(deps, never);

  const paused = await reconcileWhenDue(deps, never);
  await endPause(db);
  const again = await reconcileWhenDue(deps, never);

  expect(failed).toMatchObject({ failure: expect.stringContaining('401') });
  expect(paused).toBeNull();
  expect(again).toMatchObject({ failure: null, retryAt: null });
});
