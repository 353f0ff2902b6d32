import type { Database } from './database/connect.ts';
import { query } from './database/query.ts';
import { findMissingMigrations } from './database/migrate.ts';
import type { HealthCheck } from './health.ts';
import type { SyncQueue } from './outbox/sync-queue.ts';
import { OUTAGE_STREAK, readSyncHealth } from './sync-health.ts';

/** Checks what every process requires: Postgres, and all migrations of this build. */
export function databaseChecks(db: Database): HealthCheck[] {
  return [
    { name: 'postgres', required: true, check: async () => void (await query(db, 'select 1')) },
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

/**
 * Checks that Redis takes the queue's commands, which a PING does not show. Not required: leads are stored without it,
 * and the sweep replaces lost jobs.
 */
export function redisCheck(syncQueue: Pick<SyncQueue, 'prove'>): HealthCheck {
  return { name: 'redis', required: false, check: () => syncQueue.prove() };
}

/**
 * Checks Beehiiv by what the sync last recorded; sends no request. Passes if Postgres cannot be read, which has a check
 * of its own.
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
