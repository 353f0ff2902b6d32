import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { startLoadingRedis } from './loading-redis.ts';
import { within } from './within.ts';

/** Whoever waited for Redis would wait longer than this: its commands are given up after 1.5 s. */
const WAITED_FOR_REDIS_MS = 1_400;
const AWAY_MS = 3_000;
/** Thirty a second: leads are waiting in the queue when it is lost. */
const SLOWLY = { BEEHIIV_REQUESTS_PER_MINUTE: '1800' };

describe('Redis', () => {
  test('absent when everything starts: leads are taken at once, and sent when it comes', async ({ drill }) => {
    const { valkey } = drill.servers;
    await valkey.stop();
    await Promise.all([drill.startApi(), drill.startWorker()]);

    await Promise.all(Array.from({ length: 10 }, () => drill.ledger.submit()));
    expect(drill.ledger).toMatchObject({ refused: [], broken: 0 });
    expect(drill.ledger.slowestMs).toBeLessThan(WAITED_FOR_REDIS_MS);
    expect(await drill.count(`beehiiv_status = 'pending'`)).toBe(10);

    await valkey.start();
    await drill.settle();
    expect(await drill.audit()).toEqual([]);
  });

  test('stopped under load: nobody notices, and all are sent when it is back', async ({ drill }) => {
    const { valkey } = drill.servers;
    await Promise.all([drill.startApi(), drill.startWorker()]);
    const visits = drill.ledger.visit(20);
    await within(10_000, 'leads are on their way', async () => (await drill.count(`beehiiv_status = 'sent'`)) > 5);

    await valkey.stop();
    const before = drill.ledger.accepted.length;
    await sleep(AWAY_MS);
    expect(drill.ledger.accepted.length).toBeGreaterThan(before + 15);
    await valkey.start();
    await visits.end();

    expect(drill.ledger).toMatchObject({ refused: [], broken: 0 });
    expect(drill.ledger.slowestMs).toBeLessThan(WAITED_FOR_REDIS_MS);
    await drill.settle();
    expect(await drill.audit()).toEqual([]);
  });

  test('flushed under load, again and again: the sweep queues what was forgotten', async ({ drill }) => {
    await Promise.all([drill.startApi(), drill.startWorker(SLOWLY)]);
    const visits = drill.ledger.visit(60);
    for (let flushed = 0; flushed < 3; flushed++) {
      const enough = (flushed + 1) * 15;
      await within(10_000, 'leads wait', async () => (await drill.count(`beehiiv_status = 'pending'`)) > enough);
      expect(await drill.servers.tellValkey('FLUSHALL')).toBe('+OK');
    }
    await visits.end();

    await drill.settle();
    expect(await drill.audit()).toEqual([]);
  });

  test('loading its data: leads are taken meanwhile, and sent when it has', async ({ drill, onTestFinished }) => {
    const { valkey } = drill.servers;
    await Promise.all([drill.startApi(), drill.startWorker()]);
    await drill.ledger.submit();
    await valkey.stop();
    const loading = await startLoadingRedis(valkey.port);
    onTestFinished(() => loading.stop());

    await Promise.all(Array.from({ length: 10 }, () => drill.ledger.submit()));
    await within(10_000, 'both processes were refused by Redis', () => loading.refused() >= 4);
    expect(drill.ledger).toMatchObject({ refused: [], broken: 0 });
    expect(drill.ledger.slowestMs).toBeLessThan(WAITED_FOR_REDIS_MS);

    await loading.stop();
    await valkey.start();
    await drill.settle();
    expect(await drill.audit()).toEqual([]);
  });
});
