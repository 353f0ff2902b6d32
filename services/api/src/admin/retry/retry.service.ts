import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { retryLeads } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type { LeadRetryAnswer } from '@site/schema/admin';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { findCorrection } from '../leads/lead-detail.repository.ts';

/**
 * Makes failed and waiting leads due now and wakes the queue; when Redis is away the sweep does it. Sent and corrected
 * ones are skipped. Throws 409 for one alone whose address was corrected: the lead it became is the one to try.
 */
export async function retryNow(
  { db, syncQueue, log }: { db: Database; syncQueue: Pick<SyncQueue, 'wake'>; log: Logger },
  operator: string,
  ids: string[],
): Promise<LeadRetryAnswer> {
  const unique = [...new Set(ids)];
  const only = unique.length === 1 ? (unique[0] ?? null) : null;
  const due = await db.transaction(async (trx) => {
    const corrected = only === null ? undefined : await findCorrection(trx, only);
    if (corrected) {
      throw problem('already-corrected', {
        detail: `It was sent to the right address as lead ${corrected.id}: retry that one.`,
      });
    }
    const retried = await retryLeads(trx, unique);
    await recordAction(trx, { operator, action: 'retry', subject: only, detail: { retried: retried.length } });
    return retried;
  });
  syncQueue.wake(due).catch((err: unknown) => log.debug({ err, leads: due.length }, 'retries are left to the sweep'));
  return { retried: due.length, skipped: unique.length - due.length };
}
