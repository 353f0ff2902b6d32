import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { retryLeads } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type { LeadRetryAnswer } from '@site/schema/admin';
import { recordAction } from '../audit/audit.repository.ts';

/** Makes failed and waiting leads due now and wakes the queue; when Redis is away the sweep does it. Sent ones are skipped. */
export async function retryNow(
  { db, syncQueue, log }: { db: Database; syncQueue: Pick<SyncQueue, 'wake'>; log: Logger },
  operator: string,
  ids: string[],
): Promise<LeadRetryAnswer> {
  const unique = [...new Set(ids)];
  const due = await db.transaction(async (trx) => {
    const retried = await retryLeads(trx, unique);
    const subject = unique.length === 1 ? (unique[0] ?? null) : null;
    await recordAction(trx, { operator, action: 'retry', subject, detail: { retried: retried.length } });
    return retried;
  });
  syncQueue.wake(due).catch((err: unknown) => log.debug({ err, leads: due.length }, 'retries are left to the sweep'));
  return { retried: due.length, skipped: unique.length - due.length };
}
