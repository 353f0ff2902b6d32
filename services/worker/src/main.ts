import { createDatabase } from '@site/platform/database/connect';
import { findMissingMigrations } from '@site/platform/database/migrate';
import { healthRoutes } from '@site/platform/health';
import { stopOnSignals } from '@site/platform/lifecycle';
import { createLogger } from '@site/platform/logger';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { readSettings, SettingsError } from '@site/platform/read-settings';
import { connectFailFast, connectPatient } from '@site/platform/redis/connect';
import express from 'express';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { v7 as newId } from 'uuid';
import { createBeehiivAdapter } from './newsletter/beehiiv/beehiiv.adapter.ts';
import { createBeehiivClient } from './newsletter/beehiiv/beehiiv.client.ts';
import { createGate } from './newsletter/gate.ts';
import { workerSettings } from './settings.ts';
import type { WorkerSettings } from './settings.ts';
import { createWorker } from './worker.ts';

async function start(settings: WorkerSettings): Promise<void> {
  const log = createLogger({ service: 'worker', level: settings.logLevel, pretty: process.stdout.isTTY });
  const db = createDatabase({
    url: settings.databaseUrl,
    maxConnections: settings.concurrency + 4,
    applicationName: 'worker',
  });
  const redis = connectPatient(settings.redisUrl, log);
  const producing = connectFailFast(settings.redisUrl, log);
  const syncQueue = createSyncQueue({ redis: producing, log });

  const app = express();
  app.disable('x-powered-by');
  app.use(
    healthRoutes([
      { name: 'postgres', required: true, check: async () => void (await db.raw('select 1')) },
      {
        name: 'migrations',
        required: true,
        check: async () => {
          if ((await findMissingMigrations(db)).length > 0) throw new Error('missing migrations');
        },
      },
      { name: 'redis', required: false, check: async () => void (await producing.ping()) },
    ]),
  );
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, resolve);
  });

  const worker = createWorker({
    db,
    redis,
    syncQueue,
    log,
    newId,
    concurrency: settings.concurrency,
    gate: createGate(db, settings.requestsPerMinute),
    newsletter: createBeehiivAdapter(createBeehiivClient(settings.beehiiv)),
    delivery: settings.delivery,
    backoffBaseMs: settings.backoffBaseMs,
    random: Math.random,
    worker: `${hostname()}-${process.pid}`,
  });
  log.info({ port: settings.port, concurrency: settings.concurrency }, 'worker is running');

  stopOnSignals(log, () => [
    { name: 'worker', close: () => worker.close() },
    { name: 'queue', close: () => syncQueue.close() },
    { name: 'redis', close: () => Promise.resolve(redis.disconnect()) },
    { name: 'postgres', close: () => db.destroy() },
    {
      name: 'http server',
      close: () =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeAllConnections();
        }),
    },
  ]);
}

try {
  await start(readSettings(workerSettings, process.env));
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
