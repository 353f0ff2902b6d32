import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { findDueLeads, readMsUntilNextDue } from '@site/platform/outbox/pending';
import { QueueUnavailableError } from '@site/platform/outbox/sync-queue';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { runExclusively } from '@site/platform/database/run-exclusively';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The safety net: queues every lead that is due, whatever became of its earlier job. Each worker has a timer, and one
 * worker at a time sweeps. If Redis loses its data, no lead waits longer than until the next sweep.
 * Before: `pending.ts` in platform/outbox finds due leads. Next: `sync-queue.ts`; for pauses and outages, `probe.ts`.
 */

const LONGEST_SLEEP_MS = 5_000;
const SHORTEST_SLEEP_MS = 50;
const FAILED_SLEEP_MS = 500;
const PROBE_SLEEP_MS = 1_000;
const MAX_LEADS = 1_000;
/** With this many jobs waiting, the queue has enough work. */
const MAX_WAITING = 1_000;

export type SweepDeps = {
  db: Database;
  syncQueue: Pick<SyncQueue, 'wakeAgain' | 'countWaiting'>;
  log: Logger;
  /** Sends the probe of a pause or an outage, if it is due. */
  probe: (signal: AbortSignal) => Promise<void>;
};

/** Queues the leads that have been due longest, at most 1,000. Returns how many, or null if another process is sweeping. */
export async function sweepOnce({ db, syncQueue }: Pick<SweepDeps, 'db' | 'syncQueue'>): Promise<number | null> {
  if ((await syncQueue.countWaiting()) >= MAX_WAITING) return 0;
  const due = await runExclusively(db, 'sweep', (trx) => findDueLeads(trx, MAX_LEADS));
  if (due) await syncQueue.wakeAgain(due);
  return due?.length ?? null;
}

export type Sweeper = {
  /** Sweeps until `signal` is aborted, every 5 s, or sooner if a lead falls due. */
  run(signal: AbortSignal): Promise<void>;
  /** Sweeps soon: something may now fall due earlier than expected. */
  nudge(): void;
};

export function createSweeper(deps: SweepDeps): Sweeper {
  let sleeping = new AbortController();

  async function sweepUntil(signal: AbortSignal): Promise<void> {
    // One listener for all sweeps. Combining signals anew for each would leave a listener behind every time.
    signal.addEventListener('abort', () => sleeping.abort(), { once: true });
    while (!signal.aborted) {
      sleeping = new AbortController();
      const sleepMs = await sweepAndReturnDelay(deps);
      await sleep(SHORTEST_SLEEP_MS, undefined, { signal }).catch(() => undefined);
      await sleep(sleepMs, undefined, { signal: sleeping.signal }).catch(() => undefined);
    }
  }

  // A loop of its own: a probe may wait ten seconds for its answer, and no sweep may wait for a probe.
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

/** Sweeps once. Returns the milliseconds until the next sweep. */
async function sweepAndReturnDelay(deps: SweepDeps): Promise<number> {
  try {
    // Read first: a lead that falls due during the sweep would otherwise be neither swept nor waited for.
    const nextDueMs = await readMsUntilNextDue(deps.db);
    const queued = await sweepOnce(deps);
    if (queued) deps.log.debug({ queued }, 'due leads queued');
    return Math.min(LONGEST_SLEEP_MS, nextDueMs ?? LONGEST_SLEEP_MS);
  } catch (err) {
    // Redis or Postgres is unavailable, which is reported elsewhere. The next sweep tries again.
    deps.log[err instanceof QueueUnavailableError ? 'debug' : 'warn']({ err }, 'sweep failed');
    return FAILED_SLEEP_MS;
  }
}
