import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import { ADDRESS_IS_FREE, leaseAddress, releaseAddress } from '@site/platform/outbox/address-lease';
import { closeAttempt, openAttempt } from '@site/platform/outbox/attempts';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { IS_BLOCKED } from '@site/platform/outbox/sync-health';
import { recordSubscribers } from '@site/platform/outbox/subscribers';
import { reassertTier } from '@site/platform/outbox/tiers';
import { deleteDifference } from './differences.repository.ts';

/** How long a consent waits that could not be sent. */
const AGAIN_AFTER = `interval '5 minutes'`;

/** Lists a few of the sent leads whose consent came later, and is due. None during a pause. */
export async function listLaterConsents(db: Database): Promise<string[]> {
  const due = await query<{ id: string }>(
    db,
    `select id from leads where consent_due_at <= sync_now() and ${ADDRESS_IS_FREE} and not (select ${IS_BLOCKED} from sync_health)
     order by consent_due_at limit 20`,
  );
  return due.map(({ id }) => id);
}

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

/** Closes the attempt and stores the subscriber's status. The lead stays sent, and the sync's health is unchanged by any outcome. */
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
    if (lead.consentDueAt) {
      const isSettled = outcome.class === 'accepted' || outcome.class === 'permanent';
      const consentDueAt = isSettled ? null : trx.raw(`sync_now() + ${AGAIN_AFTER}`);
      await trx('leads').where({ id: lead.id }).update({ consentDueAt });
    }
    if (outcome.class === 'accepted') {
      await reassertTier(trx, lead.emailNormalised);
      await deleteDifference(trx, { emailNormalised: lead.emailNormalised, remedy: 'add-again' });
    }
    await releaseAddress(trx, attemptId);
  });
}
