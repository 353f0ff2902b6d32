import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { readSyncHealth } from '@site/platform/sync-health';
import { findDueLeads, readMsUntilNextDue } from '@site/platform/outbox/pending';
import { chooseProbe, makeDueAfterOutage } from './recovery.repository.ts';
import { QueueUnavailableError } from '@site/platform/outbox/sync-queue';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { runExclusively } from '../run-exclusively.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The safety net: queues every lead that is due, whatever became of its earlier job. Each worker has a timer, and one
 * worker at a time sweeps. If Redis loses its data, no lead waits longer than until the next sweep.
 * Before: `pending.ts` in platform/outbox finds due leads. Next: `sync-queue.ts`.
 */

const LONGEST_SLEEP_MS = 5_000;
const SHORTEST_SLEEP_MS = 50;
const FAILED_SLEEP_MS = 500;
const MAX_LEADS = 1_000;
/** With this many jobs waiting, the queue has enough work. */
const MAX_WAITING = 1_000;

export type SweepDeps = { db: Database; syncQueue: Pick<SyncQueue, 'wake' | 'countWaiting'>; log: Logger };

/** After an outage, makes at most 1,000 leads due that waited through it. Returns true if more are left. */
export async function makeDueNow({ db }: Pick<SweepDeps, 'db'>): Promise<boolean> {
  if (!(await readSyncHealth(db)).isMakingDue) return false;
  return (await runExclusively(db, 'sweep', (trx) => makeDueAfterOutage(trx, MAX_LEADS))) === true;
}

/** Queues the oldest 1,000 due leads, or only the probe during a pause. Returns how many, or null if another process is sweeping. */
export async function sweepOnce({ db, syncQueue }: SweepDeps): Promise<number | null> {
  const hasRoom = (await syncQueue.countWaiting()) < MAX_WAITING;
  const due = await runExclusively(db, 'sweep', (trx) => findRunnable(trx, hasRoom));
  // Only after the commit: an earlier job would not find its lead chosen as the probe.
  if (due) await syncQueue.wake(due);
  return due?.length ?? null;
}

async function findRunnable(trx: Database, hasRoom: boolean): Promise<string[]> {
  const { pausedSince } = await readSyncHealth(trx);
  if (!pausedSince) return hasRoom ? findDueLeads(trx, MAX_LEADS) : [];
  const probe = await chooseProbe(trx);
  return probe === null ? [] : [probe];
}

export type Sweeper = {
  /** Sweeps until `signal` is aborted, every 5 s, or sooner if a lead falls due. */
  run(signal: AbortSignal): Promise<void>;
  /** Sweeps soon: something may now fall due earlier than expected. */
  nudge(): void;
};

export function createSweeper(deps: SweepDeps): Sweeper {
  let sleeping = new AbortController();
  return {
    nudge() {
      sleeping.abort();
    },
    async run(signal) {
      // One listener for all sweeps. Combining signals anew for each would leave a listener behind every time.
      signal.addEventListener('abort', () => sleeping.abort(), { once: true });
      while (!signal.aborted) {
        sleeping = new AbortController();
        const sleepMs = await sweepAndReturnDelay(deps);
        await sleep(SHORTEST_SLEEP_MS, undefined, { signal }).catch(() => undefined);
        await sleep(sleepMs, undefined, { signal: sleeping.signal }).catch(() => undefined);
      }
    },
  };
}

/** Sweeps once. Returns the milliseconds until the next sweep. */
async function sweepAndReturnDelay(deps: SweepDeps): Promise<number> {
  try {
    const areMoreToMakeDue = await makeDueNow(deps);
    const queued = await sweepOnce(deps);
    if (queued) deps.log.debug({ queued }, 'due leads queued');
    if (areMoreToMakeDue) return 0;
    const nextDueMs = await readMsUntilNextDue(deps.db);
    return Math.min(LONGEST_SLEEP_MS, nextDueMs ?? LONGEST_SLEEP_MS);
  } catch (err) {
    // Redis or Postgres is unavailable, which is reported elsewhere. The next sweep tries again.
    deps.log[err instanceof QueueUnavailableError ? 'debug' : 'warn']({ err }, 'sweep failed');
    return FAILED_SLEEP_MS;
  }
}
