import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { startLoadingRedis } from './loading-redis.ts';
import { within } from './within.ts';

/** A request that waits for Redis takes longer than this: its commands time out after 1.5 s. */
const WAITED_FOR_REDIS_MS = 1_400;
const AWAY_MS = 3_000;

test('every lead is accepted while Redis is stopped, and sent later', async ({ drill }) => {
  const { valkey } = drill.servers;
  await Promise.all([drill.startApi(), drill.startWorker()]);
  const visits = drill.ledger.visit(20);
  await within(
    10_000,
    'leads are on their way',
    async () => (await drill.count(`beehiiv_status = 'sent'`)) > 5,
  );

  await valkey.stop();
  const before = drill.ledger.accepted.length;
  await sleep(AWAY_MS);
  expect(drill.ledger.accepted.length).toBeGreaterThan(before + 15);
  await valkey.start();
  await visits.end();

  expect(drill.ledger).toMatchObject({ refused: [], unanswered: 0 });
  expect(drill.ledger.slowestMs).toBeLessThan(WAITED_FOR_REDIS_MS);
  await drill.settle();
  expect(await drill.audit()).toEqual([]);
});

test('while Redis loads its data, leads are accepted, and sent afterwards', async ({
  drill,
  onTestFinished,
}) => {
  const { valkey } = drill.servers;
  await Promise.all([drill.startApi(), drill.startWorker()]);
  await drill.ledger.submit();
  await valkey.stop();
  const loading = await startLoadingRedis(valkey.port);
  onTestFinished(() => loading.stop());

  await Promise.all(Array.from({ length: 10 }, () => drill.ledger.submit()));
  await within(10_000, 'both processes were refused by Redis', () => loading.refused() >= 4);
  expect(drill.ledger).toMatchObject({ refused: [], unanswered: 0 });
  expect(drill.ledger.slowestMs).toBeLessThan(WAITED_FOR_REDIS_MS);

  await loading.stop();
  await valkey.start();
  await drill.settle();
  expect(await drill.audit()).toEqual([]);
});
