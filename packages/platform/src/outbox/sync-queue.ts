import { syncJob } from '@site/schema/sync-job';
import type { SyncJob } from '@site/schema/sync-job';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from '../logger.ts';

/*
 * The queue between intake and worker. A job says "try this lead now" and holds its id; the row in
 * Postgres is the truth. So a job that is lost, doubled or dropped costs nothing but time: the sweep
 * queues again what is due.
 */

export const SYNC_QUEUE_NAME = 'leads';
/** The braces keep all keys of the queue in one slot of a Redis cluster. */
export const SYNC_QUEUE_PREFIX = '{bull}';

const JOB_NAME = 'push';

/** One job a lead at most: an `add` whose id still exists is ignored. Free again as soon as the job is gone. */
function toJob(leadId: string) {
  const data: SyncJob = { leadId };
  // Both ends remove at once: a kept job would block its id, and history is in Postgres.
  const opts = { jobId: `lead-${leadId}`, attempts: 1, removeOnComplete: true, removeOnFail: true };
  return { name: JOB_NAME, data, opts };
}

/** The lead a job is about. Throws on a payload that is not ours. */
export function parseSyncJob(data: unknown): SyncJob {
  return syncJob.parse(data);
}

export type SyncQueue = {
  /** Queues "try now" for each lead. Fails at once when Redis is away: callers answer first and do not wait for it. */
  wake(leadIds: string[]): Promise<void>;
  /** Jobs waiting to be taken. */
  countWaiting(): Promise<number>;
  close(): Promise<void>;
};

export class QueueAwayError extends Error {
  override name = 'QueueAwayError';
}

/**
 * The producing end, on a fail-fast connection. The queue object is built only once Redis has answered:
 * BullMQ's start-up on a connection that is not ready would leave it dead for good.
 */
export function createSyncQueue(options: { redis: Redis; log: Logger; prefix?: string }): SyncQueue {
  const { redis, log } = options;
  let queue: Queue | undefined;
  const open = () => {
    if (queue) return;
    queue = new Queue(SYNC_QUEUE_NAME, { connection: redis, prefix: options.prefix ?? SYNC_QUEUE_PREFIX });
    queue.on('error', (err) => log.debug({ err }, 'queue error'));
  };
  redis.on('ready', open);
  if (redis.status === 'ready') open();

  const ready = () => {
    if (!queue || redis.status !== 'ready') throw new QueueAwayError('Redis is away');
    return queue;
  };
  return {
    async wake(leadIds) {
      if (leadIds.length > 0) await ready().addBulk(leadIds.map(toJob));
    },
    async countWaiting() {
      return ready().getWaitingCount();
    },
    async close() {
      redis.off('ready', open);
      if (queue && redis.status === 'ready') await queue.close();
      redis.disconnect();
    },
  };
}
