import { syncJob } from '@site/schema/sync-job';
import type { RedisConnection } from '../redis/connect.ts';
import type { SyncJob } from '@site/schema/sync-job';
import { Queue } from 'bullmq';
import type { Logger } from '../logger.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

/*
 * The queue between API and worker. A job holds a lead's id and says "try this lead now"; the truth is the row in
 * Postgres. A job that is lost, repeated or dropped therefore costs only time: the sweep queues what is due again.
 * Before: `captureLead` in the API, a retry, or the worker's sweep. Next: `sync.processor.ts` in the worker.
 */

export const SYNC_QUEUE_NAME = 'leads';
/** The braces keep all keys of the queue in one hash slot of a Redis cluster. */
export const SYNC_QUEUE_PREFIX = '{bull}';

const JOB_NAME = 'push';
const PROOF_SECONDS = 60;
/** As many started jobs are looked at. */
const MAX_ACTIVE = 1_000;

/** One waiting job for each lead: BullMQ ignores an `add` whose job id exists. Ids of jobs that have started are passed over. */
function toJob(leadId: string, started: ReadonlySet<string> = new Set()) {
  const data: SyncJob = { leadId };
  let jobId = `lead-${leadId}`;
  for (let beside = 2; started.has(jobId); beside += 1) jobId = `lead-${leadId}-${beside}`;
  // A finished job that was kept would block its id. The history is in Postgres.
  const opts = { jobId, attempts: 1, removeOnComplete: true, removeOnFail: true };
  return { name: JOB_NAME, data, opts };
}

/** Reads a job's payload. Throws if it is not ours. */
export function parseSyncJob(data: unknown): SyncJob {
  return syncJob.parse(data);
}

export type SyncQueue = {
  /** Queues a job for each lead. Rejects at once if Redis is unavailable, so callers must not make anyone wait for it. */
  wake(leadIds: string[]): Promise<void>;
  /**
   * Queues a job for each lead beside those that a worker has started: that worker may be dead, and its job blocks its id
   * for half a minute. If it is not, the second run finds the lead claimed.
   */
  wakeAgain(leadIds: string[]): Promise<void>;
  /** Counts the jobs that no worker has started. */
  countWaiting(): Promise<number>;
  /** Rejects if Redis refuses what the queue needs: its scripts on its keys, and writes. */
  prove(): Promise<void>;
  close(): Promise<void>;
};

export class QueueUnavailableError extends Error {
  override name = 'QueueUnavailableError';
}

/**
 * Creates the producing end of the queue, on a fail-fast connection. Waits for Redis before it creates BullMQ's queue,
 * which would never recover from starting on a connection that is not ready.
 */
export function createSyncQueue(options: { redis: RedisConnection; log: Logger; prefix?: string }): SyncQueue {
  const { redis, log, prefix = SYNC_QUEUE_PREFIX } = options;
  let queue: Queue | undefined;
  const open = () => {
    if (queue) return;
    // BullMQ would print its own warning about Redis's policy, once for each connection.
    queue = new Queue(SYNC_QUEUE_NAME, { connection: redis, prefix, skipVersionCheck: true });
    queue.on('error', (err) => log.debug({ err }, 'queue error'));
  };
  redis.on('ready', open);
  if (redis.status === 'ready') open();

  const ready = () => {
    if (!queue || redis.status !== 'ready') throw new QueueUnavailableError('Redis is unavailable');
    return queue;
  };
  let waking: { leadIds: string[]; added: Promise<void> } | undefined;
  /** Leads that are committed together are woken one by one, and queued in one request. */
  async function addTogether(): Promise<void> {
    await nextTurn();
    const leadIds = waking?.leadIds ?? [];
    waking = undefined;
    if (leadIds.length > 0) await ready().addBulk(leadIds.map((leadId) => toJob(leadId)));
  }
  return {
    async wake(leadIds) {
      waking ??= { leadIds: [], added: addTogether() };
      waking.leadIds.push(...leadIds);
      await waking.added;
    },
    async wakeAgain(leadIds) {
      if (leadIds.length === 0) return;
      const started = new Set((await ready().getActive(0, MAX_ACTIVE)).map((job) => job.id ?? ''));
      await ready().addBulk(leadIds.map((leadId) => toJob(leadId, started)));
    },
    async countWaiting() {
      return ready().getWaitingCount();
    },
    async prove() {
      await ready().getWaitingCount();
      // A replica counts too, and so does a Redis whose memory is full. Neither takes a job.
      await redis.set(`${prefix}:proof`, '', 'EX', PROOF_SECONDS);
    },
    async close() {
      redis.off('ready', open);
      if (queue && redis.status === 'ready') await queue.close();
      redis.disconnect();
    },
  };
}
