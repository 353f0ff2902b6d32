import { checkDatabaseAtStart } from '@site/platform/database/check-database';
import { createDatabase } from '@site/platform/database/connect';
import { CANNOT_WORK, healthRoutes } from '@site/platform/health/health';
import { stopOnSignals } from '@site/platform/process/lifecycle';
import { toErrorText } from '@site/platform/process/logged-error';
import { createLogger } from '@site/platform/process/logger';
import { createRegistry, metricsRoutes } from '@site/platform/process/metrics';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { connectFailFast, connectPatient, checkRedisAtStart } from '@site/platform/redis/connect';
import { createHealthReader } from '@site/platform/health/sync-facts';
import { addSyncMetrics } from '@site/platform/health/sync-metrics';
import express from 'express';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { v7 as newId } from 'uuid';
import { addWorkerMetrics } from './worker-metrics.ts';
import { connectNewsletter } from './newsletter/connect.ts';
import { workerSettings } from './settings.ts';
import type { WorkerSettings } from './settings.ts';
import { runPeriodicTasks } from './periodic-tasks.ts';
import { forgetRate } from './newsletter/rate-limiter.ts';
import { createWorker } from './worker.ts';
import type { RunningWorker } from './worker.ts';

// A main program is at the same depth below the root in source, build and image.

async function start(settings: WorkerSettings): Promise<void> {
  const log = createLogger({
    service: 'worker',
    level: settings.logLevel,
    pretty: process.stdout.isTTY,
  });
  const db = createDatabase({
    url: settings.databaseUrl,
    maxConnections: settings.databasePoolSize,
    applicationName: 'worker',
  });
  await checkDatabaseAtStart(db);
  const redis = connectPatient(settings.redisUrl, log);
  const producing = connectFailFast(settings.redisUrl, log);
  await checkRedisAtStart(producing, log);
  const syncQueue = createSyncQueue({ redis: producing, log });

  const registry = createRegistry();
  const metrics = addWorkerMetrics(registry);
  let worker: RunningWorker | undefined;
  const others = () => worker?.findFailures() ?? [];
  const health = createHealthReader({ db, syncQueue, ...settings.alerts, others });
  addSyncMetrics(registry, { db, redis: producing, health });

  const app = express();
  app.disable('x-powered-by');
  app.use(
    healthRoutes(health.readShared, [...CANNOT_WORK, 'loop-stopped']),
    metricsRoutes(registry),
  );
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, app);
  await once(server.listen(settings.port, settings.host), 'listening');

  if (settings.requestsPerMinute === 0) await forgetRate(db);
  const deps = {
    ...metrics.measure(connectNewsletter(settings, { db, log })),
    db,
    log,
    newId,
    delivery: settings.delivery,
    eventsUrl: settings.eventsUrl,
    backoffBaseMs: settings.backoffBaseMs,
    random: Math.random,
    worker: `${hostname()}-${process.pid}`,
  };
  const running = createWorker({
    ...deps,
    metrics,
    redis,
    syncQueue,
    concurrency: settings.concurrency,
    runPeriodicTasks: (signal) => {
      const { retention } = settings;
      const restart = () => void stop('nothing moved', 1);
      return runPeriodicTasks(
        { ...deps, ...settings.alerts, syncQueue, retention, restart },
        signal,
      );
    },
  });
  worker = running;
  log.info({ port: settings.port, concurrency: settings.concurrency }, 'worker is running');

  const stop = stopOnSignals(log, () => [
    { name: 'worker', close: () => running.close() },
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
  console.error(error instanceof SettingsError ? error.message : toErrorText(error));
  process.exit(1);
}
