import type { Database } from '@site/platform/database/connect';
import { findOpenRuns, stepRetryRun } from '@site/platform/outbox/retry-run';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { runExclusively } from '@site/platform/database/run-exclusively';

export type RetryRunDeps = { db: Database; syncQueue: Pick<SyncQueue, 'wake'> };

/** Advances every open bulk retry by one step, in one process at a time, and queues the leads that are now due. */
export async function stepRetryRuns({ db, syncQueue }: RetryRunDeps): Promise<void> {
  const due = await runExclusively(db, 'retry runs', async (trx) => {
    const started: string[] = [];
    for (const run of await findOpenRuns(trx)) started.push(...(await stepRetryRun(trx, run)));
    return started;
  });
  // Only after the commit: an earlier job would not find its lead due.
  await syncQueue.wake(due?.length ?? 0);
}
