import { parseSyncJob, SYNC_QUEUE_NAME, SYNC_QUEUE_PREFIX } from '@site/platform/outbox/sync-queue';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { setMaxListeners } from 'node:events';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import { processLead } from './sync/sync.processor.ts';
import type { RunResult, SyncDeps } from './sync/sync.processor.ts';
import { createSweeper } from './sync/sweep.ts';

export type WorkerDeps = SyncDeps & {
  /** A patient connection for taking jobs; it is not shared with anything that answers somebody. */
  redis: Redis;
  syncQueue: SyncQueue;
  concurrency: number;
  /** Whatever runs beside the delivery of leads, until the signal ends it. */
  runPeriodicTasks?: (signal: AbortSignal) => Promise<void>;
  queuePrefix?: string;
  metrics?: WorkerMetrics;
};

export type RunningWorker = {
  /** Takes no more jobs, lets those that wait for a slot go, and waits for requests under way. */
  close(): Promise<void>;
};

/** What the worker does: one processor for the queue, and the sweep beside it. Read this first. */
export function createWorker(deps: WorkerDeps): RunningWorker {
  const { log, syncQueue } = deps;
  const stopping = new AbortController();
  // Every lead that waits for its slot listens to it, and every task of the upkeep that sleeps.
  setMaxListeners(0, stopping.signal);

  const sweeper = createSweeper({ db: deps.db, syncQueue, log });

  const worker = new Worker<unknown, RunResult>(
    SYNC_QUEUE_NAME,
    async (job) => {
      const { leadId } = parseSyncJob(job.data);
      try {
        const run = (counted: SyncDeps) => processLead(counted, leadId, stopping.signal);
        return await (deps.metrics ? deps.metrics.countRun<SyncDeps>(deps, run) : run(deps));
      } catch (err) {
        // The row still says what is to be done, so the sweep brings the lead back; the job itself is over.
        if (!stopping.signal.aborted) log.warn({ err, leadId }, 'run ended early');
        return 'untouched';
      }
    },
    {
      connection: deps.redis,
      prefix: deps.queuePrefix ?? SYNC_QUEUE_PREFIX,
      concurrency: deps.concurrency,
      lockDuration: 30_000,
      // A job of a killed worker blocks its id until this finds it.
      stalledInterval: 5_000,
    },
  );
  // Only now is the job's id free again, so that the sweep can queue the lead's next try.
  worker.on('completed', (_job, result: RunResult) => {
    if (result === 'others-may-be-due') sweeper.nudge();
  });
  worker.on('error', (err) => log.debug({ err }, 'queue connection error'));

  const beside = Promise.all([sweeper.run(stopping.signal), deps.runPeriodicTasks?.(stopping.signal)]);

  return {
    async close() {
      stopping.abort();
      await beside;
      await worker.close();
    },
  };
}
