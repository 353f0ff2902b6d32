import { SYNC_QUEUE_NAME, SYNC_QUEUE_PREFIX } from '@site/platform/outbox/sync-queue';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type { Failure } from '@site/platform/health/sync-facts';
import { Worker } from 'bullmq';
import type { RedisConnection } from '@site/platform/redis/connect';
import { setMaxListeners } from 'node:events';
import type { WorkerMetrics } from './worker-metrics.ts';
import { probe } from './sync/probe.ts';
import { createSweeper } from './sync/sweep.ts';
import { processLead } from './sync/sync.processor.ts';
import type { RunResult, SyncDeps } from './sync/sync.processor.ts';

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
  /** Stops taking jobs, releases runs that wait for a slot, and waits for requests in progress. */
  close(): Promise<void>;
  /** Reports that the loop which queues due leads has stopped. */
  findFailures(): Failure[];
};

/** A turn takes a few seconds, or half a minute while Postgres or Redis is unavailable. */
const MAX_TURN_MS = 60_000;

/** Every fourth claim begins with retries, so that new leads never delay them for long. */
const RETRY_SHARE = 4;

/**
 * Starts the worker: the queue's processor, the sweep and the periodic tasks. Start reading here.
 */
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
  let turnedAt = performance.now();
  const sweeper = createSweeper({
    db: deps.db,
    syncQueue: {
      topUp(due) {
        turnedAt = performance.now();
        return syncQueue.topUp(due);
      },
    },
    log,
    probe: (signal) =>
      probe({ ...deps, runProbe: () => counted(processLead(deps, 'probe', signal)) }, signal),
  });
  let jobs = 0;

  const worker = new Worker<unknown, RunResult | null>(
    SYNC_QUEUE_NAME,
    async () => {
      if (stopping.signal.aborted) return null;
      jobs += 1;
      try {
        const choice = jobs % RETRY_SHARE === 0 ? 'retry' : 'urgent';
        const result = await counted(processLead(deps, choice, stopping.signal));
        if (result?.move === 'wait') sweeper.nudge();
        return result;
      } catch (err) {
        // The row still says pending, so the sweep queues a job again.
        if (!stopping.signal.aborted) log.warn({ err }, 'run failed');
        return null;
      }
    },
    {
      connection: deps.redis,
      prefix: deps.queuePrefix ?? SYNC_QUEUE_PREFIX,
      concurrency: deps.concurrency,
      skipVersionCheck: true,
      lockDuration: 30_000,
      stalledInterval: 5_000,
    },
  );
  worker.on('error', (err) => log.debug({ err }, 'queue connection error'));

  const beside = Promise.all([
    sweeper.run(stopping.signal),
    deps.runPeriodicTasks?.(stopping.signal),
  ]);

  return {
    async close() {
      // Close the queue first, so that freed slots take no more jobs.
      const closed = worker.close();
      stopping.abort();
      await Promise.all([closed, beside]);
    },
    findFailures: () =>
      performance.now() - turnedAt > MAX_TURN_MS
        ? [{ kind: 'loop-stopped', text: 'This worker has stopped looking for due leads.' }]
        : [],
  };
}
