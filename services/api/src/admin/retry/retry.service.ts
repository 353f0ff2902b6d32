import type { Database } from '@site/platform/database/connect';
import { retryLeads } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type { LeadRetryAnswer } from '@site/schema/calls/retry';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { findCorrection } from '../leads/lead-detail.repository.ts';

/**
 * Makes failed and pending leads due now and wakes the queue. If Redis is unreachable the sweep queues them. Sent and
 * corrected leads are skipped. Throws 409 for a single lead whose address was corrected: retry the lead that replaced
 * it.
 */
export async function retryNow(
  { db, syncQueue }: { db: Database; syncQueue: Pick<SyncQueue, 'wake'> },
  operator: string,
  ids: string[],
): Promise<LeadRetryAnswer> {
  const unique = [...new Set(ids)];
  const only = unique.length === 1 ? (unique[0] ?? null) : null;
  const due = await db.transaction(async (trx) => {
    const corrected = only === null ? undefined : await findCorrection(trx, only);
    if (corrected) {
      throw problem('already-corrected', {
        detail: `Its address was corrected by lead ${corrected.id}. Retry that lead instead.`,
      });
    }
    // A retry ends the quarantine, and the record tells that apart.
    const quarantined =
      only !== null && (await trx('leads').where({ id: only }).whereNotNull('quarantineReason').first('id'));
    const retried = await retryLeads(trx, unique);
    const detail = { retried: retried.length, ...(quarantined && { fromQuarantine: true }) };
    await recordAction(trx, { operator, action: 'retry', subject: only, detail });
    return retried;
  });
  void syncQueue.wake(due.length);
  return { retried: due.length, skipped: unique.length - due.length };
}
