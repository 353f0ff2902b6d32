import { createLogger } from '@site/platform/process/logger';
import { createSyncQueue, SYNC_QUEUE_NAME } from '@site/platform/outbox/sync-queue';
import { connectFailFast } from '@site/platform/redis/connect';
import { Queue } from 'bullmq';
import fc from 'fast-check';
import { once } from 'node:events';
import { inject } from 'vitest';
import { playAndCheck, prepareModel } from '../testing/sync-model.ts';
import { stepsUpTo } from '../testing/sync-model.steps.ts';
import { test } from '../testing/worker.fixture.ts';

declare module 'vitest' {
  interface ProvidedContext {
    modelRuns: number;
    modelSeed: number | null;
  }
}

const runs = inject('modelRuns');
const seed = inject('modelSeed');

test(
  'under any events, the sync loses no lead and adds nobody twice',
  { timeout: 60_000 + runs * 3_000 },
  async ({ db, redisUrl, redisPrefix, onTestFinished }) => {
    const log = createLogger({ service: 'model', level: 'silent' });
    const redis = connectFailFast(redisUrl, log);
    await once(redis, 'ready');
    const syncQueue = createSyncQueue({ redis, log, prefix: redisPrefix });
    const queue = new Queue(SYNC_QUEUE_NAME, {
      connection: { url: redisUrl },
      prefix: redisPrefix,
    });
    onTestFinished(async () => {
      await queue.close();
      await syncQueue.close();
    });

    await prepareModel(db);
    await fc.assert(
      fc.asyncProperty(stepsUpTo(runs > 100 ? 60 : 30), fc.boolean(), (toPlay, hasGoodLeads) =>
        playAndCheck({ db, queue, syncQueue }, toPlay, hasGoodLeads),
      ),
      { numRuns: runs, endOnFailure: true, ...(seed === null ? {} : { seed }) },
    );
  },
);
