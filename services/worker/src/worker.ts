import { parseSyncJob, SYNC_QUEUE_NAME, SYNC_QUEUE_PREFIX } from '@site/platform/outbox/sync-queue';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { Worker } from 'bullmq';
import type { RedisConnection } from '@site/platform/redis/connect';
import { setMaxListeners } from 'node:events';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import { probe } from './sync/probe.ts';
import { processLead, processProbe } from './sync/sync.processor.ts';
import type { RunResult, SyncDeps } from './sync/sync.processor.ts';
import { createSweeper } from './sync/sweep.ts';

export type WorkerDeps = SyncDeps & {
  /** The connection for taking jobs, from `connectPatient`. */
  redis: RedisConnection;
  syncQueue: SyncQueue;
  concurrency: number;
  /** Runs until the signal is aborted. */
  runPeriodicTasks?: (signal: AbortSignal) => Promise<void>;
  queuePrefix?: string;
  metrics?: WorkerMetrics;
};

export type RunningWorker = {
  /** Takes no more jobs, releases those that wait for a slot, and waits for requests in progress. */
  close(): Promise<void>;
};

/** Starts the worker: the queue's processor, the sweep and the periodic tasks. Read this first. */
export function createWorker(deps: WorkerDeps): RunningWorker {
  const { log, syncQueue } = deps;
  const stopping = new AbortController();
  // Every lead that waits for a slot adds a listener, and so does every periodic task.
  setMaxListeners(0, stopping.signal);

  const counted = async (run: Promise<RunResult | null>): Promise<RunResult | null> => {
    const result = await run;
    if (result) deps.metrics?.countRun(result);
    return result;
  };
  const sweeper = createSweeper({
    db: deps.db,
    syncQueue,
    log,
    probe: (signal) => probe({ ...deps, runProbe: (leadId) => counted(processProbe(deps, leadId, signal)) }, signal),
  });

  const worker = new Worker<unknown, RunResult | null>(
    SYNC_QUEUE_NAME,
    async (job) => {
      if (stopping.signal.aborted) return null;
      const { leadId } = parseSyncJob(job.data);
      try {
        return await counted(processLead(deps, leadId, stopping.signal));
      } catch (err) {
        // The row still says that the lead is pending, so the sweep will queue it again.
        if (!stopping.signal.aborted) log.warn({ err, leadId }, 'run failed');
        return null;
      }
    },
    {
      connection: deps.redis,
      prefix: deps.queuePrefix ?? SYNC_QUEUE_PREFIX,
      concurrency: deps.concurrency,
      skipVersionCheck: true,
      lockDuration: 30_000,
      // Until this finds it, a killed worker's job blocks its id.
      stalledInterval: 5_000,
    },
  );
  // Only now is the job's id free, so that the sweep can queue the lead again.
  worker.on('completed', (_job, result: RunResult | null) => {
    if (result?.move === 'wait') sweeper.nudge();
  });
  worker.on('error', (err) => log.debug({ err }, 'queue connection error'));

  const beside = Promise.all([sweeper.run(stopping.signal), deps.runPeriodicTasks?.(stopping.signal)]);

  return {
    async close() {
      // First, so that no further job is taken when those that wait for a slot are released.
      const closed = worker.close();
      stopping.abort();
      await Promise.all([closed, beside]);
    },
  };
}
