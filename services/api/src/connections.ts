import { checkDatabaseAtStart } from '@site/platform/database/check-database';
import { createDatabase, createPool } from '@site/platform/database/connect';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import type { Logger } from '@site/platform/process/logger';
import { connectFailFast, checkRedisAtStart } from '@site/platform/redis/connect';
import type { AppDeps } from './app-deps.ts';
import { operatorSessions } from './admin/operators/session.ts';
import { createStripe } from './stripe/stripe.client.ts';
import type { ApiSettings } from './settings.ts';

type Connections = Pick<
  AppDeps,
  'db' | 'exportPool' | 'redis' | 'syncQueue' | 'sessions' | 'stripe'
> & { closers: { name: string; close: () => Promise<void> }[] };

/** Connects to Postgres, Redis and Stripe. Throws if Postgres has no schema; Redis may be away. */
export async function connect(settings: ApiSettings, log: Logger): Promise<Connections> {
  const db = createDatabase({
    url: settings.databaseUrl,
    maxConnections: settings.databasePoolSize,
    applicationName: 'api',
  });
  await checkDatabaseAtStart(db);
  const openPool = (applicationName: string, silentMs: number) =>
    createPool({ url: settings.databaseUrl, applicationName, silentMs, log });
  const sessionPool = openPool('api-sessions', 15_000);
  // An export sorts before its first row, and waits for its client.
  const exportPool = openPool('api-export', 120_000);
  const redis = connectFailFast(settings.redisUrl, log);
  await checkRedisAtStart(redis, log);
  const syncQueue = createSyncQueue({ redis, log });
  const sessions = operatorSessions(sessionPool, settings);
  const closers = [
    { name: 'queue', close: () => syncQueue.close() },
    { name: 'sessions', close: () => sessions.close() },
    { name: 'session pool', close: () => sessionPool.end() },
    { name: 'export pool', close: () => exportPool.end() },
    { name: 'postgres', close: () => db.destroy() },
  ];
  const stripe = createStripe(settings.stripe);
  return { db, exportPool, redis, syncQueue, sessions: sessions.middleware, stripe, closers };
}
