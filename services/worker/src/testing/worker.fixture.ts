import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { createLogger } from '@site/platform/process/logger';
import type { Logger } from '@site/platform/process/logger';
import { createSyncQueue } from '@site/platform/outbox/sync-queue';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { connectFailFast, connectPatient } from '@site/platform/redis/connect';
import type { SandboxCredentials } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { connectNewsletter } from '../newsletter/connect.ts';
import type { Newsletter } from '../newsletter/connect.ts';
import { createWorker } from '../worker.ts';
import { DELIVERY } from './sync-deps.ts';

export type WorkerOptions = {
  databaseUrl: string;
  redisUrl: string;
  redisPrefix: string;
  sandbox: { url: string; credentials: SandboxCredentials };
  apiKey?: string;
  requestsPerMinute?: number;
  backoffBaseMs?: number;
  timeoutMs?: number;
  concurrency?: number;
  log?: Logger;
};

export type StartedWorker = { syncQueue: SyncQueue; close(): Promise<void> };

/** Connects to the sandbox. The rate limiter is off by default. */
export function connectTestNewsletter(
  options: Pick<WorkerOptions, 'sandbox' | 'apiKey' | 'requestsPerMinute' | 'timeoutMs'>,
  db: Database,
): Newsletter {
  const { credentials, url } = options.sandbox;
  return connectNewsletter(
    {
      beehiiv: {
        apiUrl: `${url}/v2`,
        apiKey: options.apiKey ?? credentials.beehiivApiKey,
        publicationId: credentials.beehiivPublicationId,
      },
      requestsPerMinute: options.requestsPerMinute ?? 0,
      timeoutMs: options.timeoutMs ?? 2_000,
    },
    { db, log: createLogger({ service: 'worker', level: 'silent' }) },
  );
}

/**
 * Starts a worker as `main.ts` does: with a real queue, a real rate limiter, and requests to the
 * sandbox.
 */
function startWorker(options: WorkerOptions): StartedWorker {
  const log = options.log ?? createLogger({ service: 'worker', level: 'silent' });
  const db = createDatabase({ url: options.databaseUrl, maxConnections: 20 });
  const redis = connectPatient(options.redisUrl, log);
  const syncQueue = createSyncQueue({
    redis: connectFailFast(options.redisUrl, log),
    log,
    prefix: options.redisPrefix,
  });
  const worker = createWorker({
    ...connectTestNewsletter(options, db),
    db,
    redis,
    syncQueue,
    log,
    queuePrefix: options.redisPrefix,
    newId: randomUUID,
    concurrency: options.concurrency ?? 8,
    delivery: DELIVERY,
    backoffBaseMs: options.backoffBaseMs ?? 20,
    random: Math.random,
    worker: 'test-worker',
  });
  return {
    syncQueue,
    async close() {
      await worker.close();
      await syncQueue.close();
      redis.disconnect();
      await db.destroy();
    },
  };
}

/** `test` with `start`, which starts a worker that ends with the test. */
export const test = base.extend(
  'start',
  async ({ databaseUrl, redisUrl, redisPrefix, sandbox }, { onCleanup }) => {
    const started: StartedWorker[] = [];
    onCleanup(async () => {
      await Promise.all(started.map((worker) => worker.close()));
    });
    return (options: Partial<WorkerOptions> = {}) => {
      const worker = startWorker({ databaseUrl, redisUrl, redisPrefix, sandbox, ...options });
      started.push(worker);
      return worker;
    };
  },
);
