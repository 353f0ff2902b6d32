import { CONDITION_KINDS } from '@site/schema/conditions';
import { QueueKeys } from 'bullmq';
import type { RedisConnection } from '../redis/connect.ts';
import type { Registry } from 'prom-client';
import type { Database } from '../database/connect.ts';
import { findMoneyConditions } from './money-health.ts';
import { addGauge, addGauges, shareReading } from '../process/metrics.ts';
import type { SyncFacts } from './read-sync-facts.ts';
import type { HealthReader } from './sync-facts.ts';
import { SYNC_QUEUE_NAME, SYNC_QUEUE_PREFIX } from '../outbox/sync-queue.ts';

/*
 * The sync's state, reported by every process. All processes read the same rows and queue, so a
 * query over several processes must take the maximum, never the sum.
 */

/**
 * Adds the gauges of conditions, waiting leads, what needs attention and the queue. A gauge that
 * cannot be read is absent, and the scrape still succeeds. Reads only counters, single rows,
 * partial indexes and live subscriptions, so a scrape costs the same with ten leads and with ten
 * million.
 */
export function addSyncMetrics(
  registry: Registry,
  options: {
    db: Database;
    redis: RedisConnection;
    health: HealthReader;
    queuePrefix?: string | undefined;
    keptMs?: number;
  },
): void {
  const { db, redis, health, queuePrefix = SYNC_QUEUE_PREFIX, keptMs } = options;
  const money = shareReading(() => findMoneyConditions(db), { keptMs });
  const addFact = (name: string, help: string, figure: (facts: SyncFacts) => number) =>
    addGauge(registry, name, help, async () => {
      const { facts } = await health.readShared();
      return facts === null ? null : figure(facts);
    });

  addGauges(
    registry,
    'sync_condition',
    '1 if this is wrong now; the texts are in GET /api/admin/sync',
    'kind',
    async () => {
      const { conditions } = await health.readShared();
      const open = new Set([...conditions, ...((await money()) ?? [])].map(({ kind }) => kind));
      return CONDITION_KINDS.map((kind) => [kind, open.has(kind) ? 1 : 0]);
    },
  );
  addFact('leads_pending', 'Leads waiting to be sent', (facts) => facts.pending);
  addFact(
    'leads_oldest_pending_age_seconds',
    'Age of the oldest lead waiting to be sent; 0 if no lead waits',
    ({ now, oldestPendingAt: oldest }) =>
      oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1_000) : 0,
  );
  addGauges(
    registry,
    'needs_attention',
    'Entries of the overview that need attention, by kind; absent if there is none',
    'kind',
    async () =>
      (await money())?.flatMap(({ cause, count }) =>
        count === undefined ? [] : [[cause, count] as const],
      ) ?? null,
  );
  addQueueMetrics(registry, redis, queuePrefix, keptMs);
}

function addQueueMetrics(
  registry: Registry,
  redis: RedisConnection,
  prefix: string,
  keptMs: number | undefined,
): void {
  // Read directly: BullMQ's Queue needs a connection that is ready when it is created.
  const keys = new QueueKeys(prefix).getKeys(SYNC_QUEUE_NAME);
  const queue = shareReading(
    async () => {
      const [waiting, active] = await Promise.all([
        redis.llen(keys['wait'] ?? ''),
        redis.llen(keys['active'] ?? ''),
      ]);
      return { waiting, active };
    },
    { keptMs },
  );

  addGauges(registry, 'sync_queue_jobs', 'Jobs in the queue, by state', 'state', async () => {
    const counts = await queue();
    return counts && Object.entries(counts);
  });
}
