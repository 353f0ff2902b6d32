import { task } from '../database/task.ts';
import { test } from '@site/testing/fixtures';
import { Redis } from 'ioredis';
import { Queue } from 'bullmq';
import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { createDatabase } from '../database/connect.ts';
import type { Database } from '../database/connect.ts';
import { SYNC_QUEUE_NAME } from '../outbox/sync-queue.ts';
import { createHealthReader } from './sync-facts.ts';
import { addSyncMetrics } from './sync-metrics.ts';

const insertLead = (db: Database, ageSeconds: number, columns = {}) =>
  db('leads').insert({
    id: randomUUID(),
    email: `${randomUUID()}@example.com`,
    formType: 'pre_buy',
    submittedAt: new Date(Date.now() - ageSeconds * 1_000),
    ...columns,
  });

const watch = (db: Database) => createHealthReader({ db, maxPendingMs: 15 * 60_000, keptMs: 0 });

/** Reads the samples of a scrape, by name with labels. */
async function scrape(registry: Registry): Promise<Record<string, number>> {
  const lines = (await registry.metrics())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]),
  );
}

test('a scrape counts waiting leads and jobs, with the age of the oldest', async ({
  db,
  redis,
  redisPrefix,
}) => {
  await insertLead(db, 600);
  await insertLead(db, 60);
  await insertLead(db, 9_000, { beehiivStatus: 'failed', nextAttemptAt: null });
  const queue = new Queue(SYNC_QUEUE_NAME, { connection: redis, prefix: redisPrefix });
  await queue.addBulk(
    [1, 2, 3].map((n) => ({ name: 'push', data: {}, opts: { jobId: `lead-${n}` } })),
  );
  const registry = new Registry();
  addSyncMetrics(registry, { db, health: watch(db), redis, queuePrefix: redisPrefix });

  const samples = await scrape(registry);

  expect(samples).toMatchObject({
    leads_pending: 2,
    'sync_condition{kind="paused"}': 0,
    'sync_condition{kind="outage"}': 0,
    'sync_condition{kind="stripe-settings"}': 0,
    'sync_queue_jobs{state="waiting"}': 3,
    'sync_queue_jobs{state="active"}': 0,
  });
  expect(samples['leads_oldest_pending_age_seconds']).toBeGreaterThan(595);
  expect(samples['leads_oldest_pending_age_seconds']).toBeLessThan(700);
  await queue.close();
});

test('a scrape shows failures of money as conditions, with the counts of items', async ({
  db,
  redis,
}) => {
  const parked = { type: 'invoice.paid', outcome: 'parked', failure: 'no' } as const;
  await db('stripe_events').insert([1, 2].map((n) => ({ id: `evt_${n}`, ...parked })));
  await task(db, 'stripe-terms').update({ failure: 'refused' });
  const registry = new Registry();
  addSyncMetrics(registry, { db, health: watch(db), redis, keptMs: 0 });

  expect(await scrape(registry)).toMatchObject({
    'needs_attention{kind="events-parked"}': 2,
    'sync_condition{kind="needs-attention"}': 1,
    'sync_condition{kind="stripe-settings"}': 1,
  });
});

test('a scrape without Postgres and Redis has conditions alone', async ({ onTestFinished }) => {
  const db = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  const redis = new Redis('redis://127.0.0.1:1', {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
  });
  redis.on('error', () => undefined);
  onTestFinished(async () => {
    redis.disconnect();
    await db.destroy();
  });
  const registry = new Registry();
  addSyncMetrics(registry, { db, health: watch(db), redis });

  const samples = await scrape(registry);
  expect(samples).toMatchObject({ 'sync_condition{kind="cannot-write"}': 1 });
  const others = Object.keys(samples).filter((name) => !name.startsWith('sync_condition'));
  expect(others).toEqual([]);
});
