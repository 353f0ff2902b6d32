import type { Redis } from 'ioredis';
import type { Database } from './database/connect.ts';
import { findMissingMigrations } from './database/migrate.ts';
import type { HealthCheck } from './health.ts';
import { OUTAGE_STREAK, readSyncHealth } from './sync-health.ts';

/** Without these no process of ours can work: Postgres itself, and every migration that this build knows. */
export function databaseChecks(db: Database): HealthCheck[] {
  return [
    { name: 'postgres', required: true, check: async () => void (await db.raw('select 1')) },
    {
      name: 'migrations',
      required: true,
      async check() {
        const missing = await findMissingMigrations(db);
        if (missing.length > 0) throw new Error(`missing migrations: ${missing.join(', ')}`);
      },
    },
  ];
}

/** Not required: leads are taken and kept without Redis, and the sweep makes up for lost jobs. */
export function redisCheck(redis: Redis): HealthCheck {
  return { name: 'redis', required: false, check: async () => void (await redis.ping()) };
}

/**
 * What the sync last learned of Beehiiv, from its own row: no request leaves for a probe. Says nothing while
 * Postgres is away; that has a check of its own.
 */
export function beehiivCheck(db: Database): HealthCheck {
  return {
    name: 'beehiiv',
    required: false,
    async check() {
      const health = await readSyncHealth(db).catch(() => null);
      if (health?.pausedSince) throw new Error(`paused: ${health.pauseReason}`);
      if (health && health.transientStreak >= OUTAGE_STREAK) throw new Error('an outage');
    },
  };
}
