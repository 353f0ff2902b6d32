import { DIFFERENCE_KINDS } from '@site/schema/differences';
import type { DifferenceKind } from '@site/schema/differences';
import { CONDITION_KINDS } from '@site/schema/sync-state';
import { QueueKeys } from 'bullmq';
import type { RedisConnection } from '../redis/connect.ts';
import type { Registry } from 'prom-client';
import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { addGauge, addGauges, shareReading } from '../process/metrics.ts';
import { countAttention, readStripeFailures } from './money-health.ts';
import type { AttentionCount, StripeFailureCount } from './money-health.ts';
import type { SyncFacts } from './sync-conditions.ts';
import type { HealthReader } from './sync-facts.ts';
import { SYNC_QUEUE_NAME, SYNC_QUEUE_PREFIX } from '../outbox/sync-queue.ts';

/*
 * The sync's state, reported by every process. All processes read the same rows and queue, so a
 * query over several processes must take the maximum, never the sum.
 */

type Figures = Times & {
  stripeFailures: StripeFailureCount[];
  attention: AttentionCount[];
  differences: { kind: DifferenceKind; count: number }[];
};
type Times = { lastBackupSeconds: number; lastEventSeconds: number | null };

const toNumber = (flag: boolean) => (flag ? 1 : 0);

/**
 * Reads only counters, single rows, partial indexes and live subscriptions, so a scrape costs the
 * same with ten leads and with ten million.
 */
async function readFigures(db: Database): Promise<Figures> {
  const [stripeFailures, attention, differences, times] = await Promise.all([
    readStripeFailures(db),
    countAttention(db),
    // Reads the whole table, which has a few thousand rows at most.
    query<Figures['differences'][number]>(
      db,
      `select kind, count(*)::int as count
       from differences
       where kind <> 'unknown-here'
       group by kind
       union all select 'unknown-here', (detail ->> 'unknown')::int
       from tasks
       where name = 'comparison' and covers_until is not null`,
    ),
    queryOne<Times>(
      db,
      `select coalesce(extract(epoch from covers_until), 0)::float8 as last_backup_seconds,
         (
           select extract(epoch from max(received_at))::float8
           from stripe_events
         ) as last_event_seconds
       from tasks where name = 'backup'`,
    ),
  ]);
  return { stripeFailures, attention, differences, ...times };
}

/**
 * Adds the gauges for Postgres, Redis, outbox, rate limiter and queue. A gauge that cannot be read
 * is absent, and the scrape still succeeds.
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
  const figures = shareReading(() => readFigures(db), { keptMs });
  const add = (name: string, help: string, figure: (reading: Figures) => number | null) =>
    addGauge(registry, name, help, async () => {
      const reading = await figures();
      return reading === null ? null : figure(reading);
    });
  const addFact = (name: string, help: string, figure: (facts: SyncFacts) => number | null) =>
    addGauge(registry, name, help, async () => {
      const { facts } = await health.readShared();
      return facts === null ? null : figure(facts);
    });

  addGauge(registry, 'postgres_up', '1 if Postgres answers this process', async () =>
    toNumber((await health.readShared()).facts !== null),
  );
  addGauges(
    registry,
    'sync_condition',
    '1 if this is wrong now; the texts are in GET /api/admin/sync',
    'kind',
    async () => {
      const { conditions } = await health.readShared();
      return CONDITION_KINDS.map((kind) => [
        kind,
        toNumber(conditions.some((condition) => condition.kind === kind)),
      ]);
    },
  );
  addFact('leads_pending', 'Leads waiting to be sent', (facts) => facts.pending);
  addFact(
    'leads_oldest_pending_age_seconds',
    'Age of the oldest lead waiting to be sent; 0 if no lead waits',
    ({ now, oldestPendingAt: oldest }) =>
      oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1_000) : 0,
  );
  addFact(
    'sync_last_accepted_timestamp_seconds',
    'When the newsletter last accepted a request; absent before the first',
    ({ health: { lastAcceptedAt } }) => lastAcceptedAt && lastAcceptedAt.getTime() / 1_000,
  );
  add(
    'stripe_last_event_timestamp_seconds',
    'When the last event of Stripe was stored; absent before the first',
    (at) => at.lastEventSeconds,
  );
  add(
    'backup_last_good_timestamp_seconds',
    'When the newest good backup ended; 0 before the first',
    (at) => at.lastBackupSeconds,
  );
  addGauges(
    registry,
    'stripe_failures',
    'Wrong settings at Stripe, by failure',
    'failure',
    async () => {
      const failures = (await figures())?.stripeFailures;
      return failures?.map(({ failure, count }) => [failure, count] as const) ?? null;
    },
  );
  addGauges(
    registry,
    'needs_attention',
    'Entries of the overview that need attention, by kind; absent if there is none',
    'kind',
    async () =>
      (await figures())?.attention.map(({ kind, count }) => [kind, count] as const) ?? null,
  );
  addGauges(
    registry,
    'comparison_differences',
    'Differences that the last comparison of Stripe, newsletter and leads found, by kind',
    'kind',
    async () => {
      const differences = (await figures())?.differences;
      // Absent before the first comparison.
      if (!differences?.some(({ kind }) => kind === 'unknown-here')) return null;
      const countOf = (wanted: DifferenceKind) =>
        differences.find(({ kind }) => kind === wanted)?.count ?? 0;
      return DIFFERENCE_KINDS.map((kind) => [kind, countOf(kind)]);
    },
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

  addGauge(registry, 'redis_up', '1 if Redis answers this process', async () =>
    toNumber((await queue()) !== null),
  );
  addGauges(registry, 'sync_queue_jobs', 'Jobs in the queue, by state', 'state', async () => {
    const counts = await queue();
    return counts && Object.entries(counts);
  });
}
