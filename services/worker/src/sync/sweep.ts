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
 * The safety net: queues what is due, whatever became of its job. A timer in every worker, one acting at
 * a time. Redis may lose everything at any moment, and nothing waits longer than a sweep.
 */

const LONGEST_SLEEP_MS = 5_000;
const SHORTEST_SLEEP_MS = 50;
const AWAY_SLEEP_MS = 500;
const MAX_LEADS = 1_000;
/** With so many jobs waiting the queue has work enough, and another thousand would only repeat them. */
const MAX_WAITING = 1_000;

export type SweepDeps = { db: Database; syncQueue: Pick<SyncQueue, 'wake' | 'countWaiting'>; log: Logger };

/** After an outage: makes at most a thousand due of those who waited through it. True when more are left. */
export async function makeDueNow({ db }: Pick<SweepDeps, 'db'>): Promise<boolean> {
  if (!(await readSyncHealth(db)).isMakingDue) return false;
  return (await runExclusively(db, 'sweep', (trx) => makeDueAfterOutage(trx, MAX_LEADS))) === true;
}

/** Queues the oldest due leads, at most a thousand; while paused only the probe. Returns how many, or null when another process sweeps. */
export async function sweepOnce({ db, syncQueue }: SweepDeps): Promise<number | null> {
  const hasRoom = (await syncQueue.countWaiting()) < MAX_WAITING;
  const due = await runExclusively(db, 'sweep', (trx) => findRunnable(trx, hasRoom));
  // After the commit: a worker that took the probe's job before it would find that it may not run.
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
  /** Sweeps until `signal` ends it, sleeping 5 s or until the next lead falls due, whichever is sooner. */
  run(signal: AbortSignal): Promise<void>;
  /** Ends the sleep: something may fall due sooner than was known when it began. */
  nudge(): void;
};

export function createSweeper(deps: SweepDeps): Sweeper {
  let sleeping = new AbortController();
  return {
    nudge() {
      sleeping.abort();
    },
    async run(signal) {
      // One listener for good: a signal combined anew for every sweep would leave its trace on this one each time.
      signal.addEventListener('abort', () => sleeping.abort(), { once: true });
      while (!signal.aborted) {
        sleeping = new AbortController();
        const sleepMs = await sweepAndSayNext(deps);
        await sleep(SHORTEST_SLEEP_MS, undefined, { signal }).catch(() => undefined);
        await sleep(sleepMs, undefined, { signal: sleeping.signal }).catch(() => undefined);
      }
    },
  };
}

/** One sweep, and how long to sleep after it, in milliseconds. */
async function sweepAndSayNext(deps: SweepDeps): Promise<number> {
  try {
    const areMoreToMakeDue = await makeDueNow(deps);
    const queued = await sweepOnce(deps);
    if (queued) deps.log.debug({ queued }, 'due leads queued');
    if (areMoreToMakeDue) return 0;
    const nextDueMs = await readMsUntilNextDue(deps.db);
    return Math.min(LONGEST_SLEEP_MS, nextDueMs ?? LONGEST_SLEEP_MS);
  } catch (err) {
    // Redis or Postgres is away; both are said elsewhere, and the next sweep repeats this one.
    deps.log[err instanceof QueueUnavailableError ? 'debug' : 'warn']({ err }, 'sweep put off');
    return AWAY_SLEEP_MS;
  }
}
