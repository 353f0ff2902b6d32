import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import { leaseAddress, releaseAddress } from '@site/platform/outbox/address-lease';
import { closeAttempt, openAttempt } from '@site/platform/outbox/attempts';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { IS_BLOCKED } from '@site/platform/sync-health';
import { recordSubscribers } from '@site/platform/outbox/subscribers';
import { reassertTier } from '@site/platform/outbox/tiers';
import { deleteDifference } from './differences.repository.ts';

/** Leases a sent lead's address and opens an attempt. Returns null if the lead is not sent, the address is leased, or the sync is paused. */
export async function claimRepair(
  db: Database,
  request: { leadId: string; attemptId: string; worker: string },
): Promise<LeadRow | null> {
  return db.transaction(async (trx) => {
    const lead = await trx<LeadRow>('leads')
      .where({ id: request.leadId, beehiivStatus: 'sent' })
      .whereRaw(`not (select ${IS_BLOCKED} from sync_health)`)
      .first();
    if (!lead || !(await leaseAddress(trx, lead.emailNormalised, request.attemptId))) return null;
    await openAttempt(trx, { ...request, kind: 'repair', round: lead.syncRound });
    return lead;
  });
}

/** Closes the attempt and stores the subscriber's status. The lead stays sent, and the sync's health as it was, whatever the outcome. */
export async function recordRepair(
  db: Database,
  attemptId: string,
  lead: LeadRow,
  outcome: AttemptOutcome,
  subscriber: { id: string; status: string } | null,
): Promise<void> {
  await db.transaction(async (trx) => {
    await closeAttempt(trx, attemptId, outcome);
    if (subscriber) await recordSubscribers(trx, [{ email: lead.emailNormalised, ...subscriber }]);
    if (outcome.class === 'accepted') {
      await reassertTier(trx, lead.emailNormalised);
      await deleteDifference(trx, { emailNormalised: lead.emailNormalised, remedy: 'add-again' });
    }
    await releaseAddress(trx, attemptId);
  });
}
