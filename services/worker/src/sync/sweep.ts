import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import { countDueLeads, readMsUntilNextDue } from '@site/platform/outbox/pending';
import { MAX_WAITING, QueueUnavailableError } from '@site/platform/outbox/sync-queue';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The safety net: keeps one job in the queue for each due lead, even if earlier jobs were lost.
 * Each worker sweeps. If Redis loses its data, leads wait until the next sweep at most.
 * Before: `pending.ts` in platform/outbox counts due leads. Next: `sync-queue.ts`.
 */

const LONGEST_SLEEP_MS = 5_000;
const MIN_SLEEP_MS = 50;
const FAILED_SLEEP_MS = 500;
const PROBE_SLEEP_MS = 1_000;

export type SweepDeps = {
  db: Database;
  syncQueue: Pick<SyncQueue, 'topUp'>;
  log: Logger;
  probe: (signal: AbortSignal) => Promise<void>;
};

/** Queues missing jobs for due leads. Returns the number of jobs. */
export async function sweepOnce({
  db,
  syncQueue,
}: Pick<SweepDeps, 'db' | 'syncQueue'>): Promise<number> {
  return syncQueue.topUp(await countDueLeads(db, MAX_WAITING));
}

export type Sweeper = {
  /** Sweeps until `signal` is aborted, every 5 s, or sooner if a lead falls due. */
  run(signal: AbortSignal): Promise<void>;
  /** Sweeps soon, because something may now be due earlier than expected. */
  nudge(): void;
};

export function createSweeper(deps: SweepDeps): Sweeper {
  let sleeping = new AbortController();

  async function sweepUntil(signal: AbortSignal): Promise<void> {
    // One listener for all sweeps. Combining signals for each sweep would leave a listener behind
    // every time.
    signal.addEventListener('abort', () => sleeping.abort(), { once: true });
    while (!signal.aborted) {
      sleeping = new AbortController();
      const sleepMs = await sweepAndReturnDelay(deps);
      await sleep(MIN_SLEEP_MS, undefined, { signal }).catch(() => undefined);
      await sleep(sleepMs, undefined, { signal: sleeping.signal }).catch(() => undefined);
    }
  }

  // A separate loop, because a probe may wait ten seconds for its answer and must not delay a
  // sweep.
  async function probeUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await deps.probe(signal).catch((err: unknown) => {
        if (!signal.aborted) deps.log.warn({ err }, 'probe failed');
      });
      await sleep(PROBE_SLEEP_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    nudge() {
      sleeping.abort();
    },
    async run(signal) {
      await Promise.all([sweepUntil(signal), probeUntil(signal)]);
    },
  };
}

async function sweepAndReturnDelay(deps: SweepDeps): Promise<number> {
  try {
    // Read first, because a lead that falls due during the sweep would otherwise be missed.
    const nextDueMs = await readMsUntilNextDue(deps.db);
    const queued = await sweepOnce(deps);
    if (queued > 0) deps.log.debug({ queued }, 'jobs queued for due leads');
    return Math.min(LONGEST_SLEEP_MS, nextDueMs ?? LONGEST_SLEEP_MS);
  } catch (err) {
    // Redis or Postgres is unavailable, which conditions report. The next sweep tries again.
    deps.log[err instanceof QueueUnavailableError ? 'debug' : 'warn']({ err }, 'sweep failed');
    return FAILED_SLEEP_MS;
  }
}
