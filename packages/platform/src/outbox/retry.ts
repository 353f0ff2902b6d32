import type { Database } from '../database/connect.ts';

/** Of a row of `leads`: its address was not put right since. What was mistyped is not tried again, whoever asks. */
export const IS_NOT_CORRECTED = 'not exists (select from leads later where later.corrected_from = leads.id)';

/**
 * Makes leads due now: a failed one begins a new round, a waiting one is tried earlier in its round. A
 * quarantine ends with it. Sent leads, leads in the middle of a run, and leads whose address was corrected are
 * left alone.
 * Returns the ids that are due now.
 */
export async function retryLeads(db: Database, leadIds: string[]): Promise<string[]> {
  return db.transaction(async (trx) => {
    const restarted = await trx('leads')
      .whereIn('id', leadIds)
      .where({ beehiivStatus: 'failed' })
      .whereRaw(IS_NOT_CORRECTED)
      .update({
        beehiivStatus: 'pending',
        syncRound: trx.raw('sync_round + 1'),
        syncAttempts: 0,
        roundStartedAt: null,
        nextAttemptAt: trx.raw('sync_now()'),
        quarantineReason: null,
      })
      .returning<{ id: string }[]>('id');
    const hastened = await trx('leads')
      .whereIn('id', leadIds)
      .whereNotIn(
        'id',
        restarted.map((row) => row.id),
      )
      .where({ beehiivStatus: 'pending' })
      .whereRaw(IS_NOT_CORRECTED)
      .whereRaw('(claimed_until is null or claimed_until <= sync_now())')
      .update({ nextAttemptAt: trx.raw('least(next_attempt_at, sync_now())') })
      .returning<{ id: string }[]>('id');
    return [...restarted, ...hastened].map((row) => row.id);
  });
}

/** Takes a waiting lead off the way for good, with the reason as its response; one in the middle of a run goes its way. */
export async function withdrawLead(trx: Database, leadId: string, reason: string): Promise<void> {
  await trx('leads')
    .where({ id: leadId, beehiivStatus: 'pending' })
    .whereRaw('(claimed_until is null or claimed_until <= sync_now())')
    .update({ beehiivStatus: 'failed', beehiivResponse: reason, nextAttemptAt: null, claim: null, claimedUntil: null });
}

/** Takes a lead off the way that was corrected in the middle of a run, once that run has ended without bringing it there. */
export async function withdrawCorrected(trx: Database, leadId: string): Promise<void> {
  const later = await trx('leads').where({ correctedFrom: leadId }).first<{ id: string } | undefined>('id');
  if (later) await withdrawLead(trx, leadId, correctedTo(later.id));
}

/** The response of a lead whose address was put right. */
export const correctedTo = (laterId: string) => `corrected: sent as lead ${laterId}`;
