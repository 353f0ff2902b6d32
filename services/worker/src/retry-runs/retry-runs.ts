import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { findOpenRuns, stepRetryRun } from '@site/platform/outbox/retry-run';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { runExclusively } from '../run-exclusively.ts';

export type RetryRunDeps = { db: Database; syncQueue: Pick<SyncQueue, 'wake'>; log: Logger };

/** One step of every open run, by one process at a time; the leads that are due by it are queued. */
export async function stepRetryRuns({ db, syncQueue, log }: RetryRunDeps): Promise<void> {
  const due = await runExclusively(db, 'retry runs', async (trx) => {
    const started: string[] = [];
    for (const run of await findOpenRuns(trx)) started.push(...(await stepRetryRun(trx, run)));
    return started;
  });
  if (!due || due.length === 0) return;
  // After the commit: a job that comes before it would find nothing to do.
  await syncQueue.wake(due).catch((err: unknown) => log.debug({ err }, 'retries are left to the sweep'));
}
