import type { RedisConnection } from '../redis/connect.ts';
import { Queue } from 'bullmq';
import type { Logger } from '../process/logger.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

/*
 * The queue between API and worker. A job means only that some lead is due: its worker claims the
 * most urgent lead. So a lost or repeated job costs only time, and the sweep tops the queue up.
 * Before: `captureLead` in the API, a retry, or the worker's sweep. Next: `sync.processor.ts` in
 * the worker.
 */

export const SYNC_QUEUE_NAME = 'leads';
/** The braces keep all keys of the queue in one hash slot of a Redis cluster. */
export const SYNC_QUEUE_PREFIX = '{bull}';
/** With this many jobs waiting, the queue has enough work. */
export const MAX_WAITING = 1_000;
/** The queue's room is read once in this time, in which workers take far fewer than 1,000 jobs. */
const ROOM_KNOWN_MS = 1_000;

// Jobs leave no history in Redis: Postgres has it.
const JOB = {
  name: 'due',
  data: {},
  opts: { attempts: 1, removeOnComplete: true, removeOnFail: true },
};
const PROOF_SECONDS = 60;

export type SyncQueue = {
  /** Queues one job for each lead, unless 1,000 wait. Never rejects: the sweep queues the rest. */
  wake(leads: number): Promise<void>;
  /**
   * Queues jobs until there is one for each due lead, at most 1,000. Returns the number added.
   * Rejects if Redis is unavailable.
   */
  topUp(due: number): Promise<number>;
  /** Rejects if Redis refuses the queue's scripts or writes. */
  prove(): Promise<void>;
  close(): Promise<void>;
};

export class QueueUnavailableError extends Error {
  override name = 'QueueUnavailableError';
}

/**
 * Creates the producing end of the queue, on a fail-fast connection. Waits for Redis before it
 * creates BullMQ's queue, which would never recover from starting on a connection that is not
 * ready.
 */
export function createSyncQueue(options: {
  redis: RedisConnection;
  log: Logger;
  prefix?: string;
}): SyncQueue {
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
  const add = async (queue: Queue, jobs: number) => {
    if (jobs > 0) await queue.addBulk(Array.from({ length: jobs }, () => JOB));
    return Math.max(0, jobs);
  };
  let room = { jobs: 0, until: 0 };
  let waking: { leads: number; added: Promise<void> } | undefined;
  /** Leads committed together are woken one by one and queued in one request. */
  async function addTogether(): Promise<void> {
    await nextTurn();
    const leads = waking?.leads ?? 0;
    waking = undefined;
    try {
      if (performance.now() >= room.until) {
        const jobs = MAX_WAITING - (await ready().getWaitingCount());
        room = { jobs, until: performance.now() + ROOM_KNOWN_MS };
      }
      const added = Math.min(leads, room.jobs);
      room.jobs -= added;
      await add(ready(), added);
    } catch (err) {
      log.debug({ err, leads }, 'queue not woken, the sweep will queue the leads');
    }
  }
  return {
    async wake(leads) {
      if (leads === 0) return;
      waking ??= { leads: 0, added: addTogether() };
      waking.leads += leads;
      await waking.added;
    },
    async topUp(due) {
      const waiting = await ready().getWaitingCount();
      return add(ready(), Math.min(due, MAX_WAITING) - waiting);
    },
    async prove() {
      await ready().getWaitingCount();
      // A replica, or a Redis without free memory, refuses this write as it would refuse a job.
      await redis.set(`${prefix}:proof`, '', 'EX', PROOF_SECONDS);
    },
    async close() {
      redis.off('ready', open);
      if (queue && redis.status === 'ready') await queue.close();
      redis.disconnect();
    },
  };
}
