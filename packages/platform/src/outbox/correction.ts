import type { Database } from '../database/connect.ts';

/**
 * Marks a pending lead as failed, because another lead has its correct email. Leaves a claimed lead
 * to `withdrawCorrected`, which follows the run.
 */
export async function withdrawLead(trx: Database, leadId: string): Promise<void> {
  await trx('leads')
    .where({ id: leadId, beehiivStatus: 'pending' })
    .whereRaw('not exists (select from claimed_leads where lead_id = leads.id)')
    .update({ beehiivStatus: 'failed', failedAt: trx.raw('sync_now()'), nextAttemptAt: null });
}

/** Withdraws a lead that was corrected during a run, once that run has ended without sending it. */
export async function withdrawCorrected(trx: Database, leadId: string): Promise<void> {
  const corrected = await trx('leads')
    .where({ id: leadId })
    .whereNotNull('correctedTo')
    .first('id');
  if (corrected) await withdrawLead(trx, leadId);
}

/**
 * Marks other leads with the emails of these leads, which are about to be deleted. A deleted lead
 * may have added its email, so a run must look the email up first.
 */
export async function passOnUnknown(trx: Database, leadIds: string[]): Promise<void> {
  await trx.raw(
    `update leads set outcome_unknown = true from leads gone
     where gone.id = any(:leadIds::uuid[]) and leads.id <> all(:leadIds::uuid[])
       and not leads.outcome_unknown
       and leads.email_normalised = gone.email_normalised and leads.beehiiv_status <> 'sent'
       and (gone.outcome_unknown or gone.beehiiv_status = 'sent'
         or exists (select from lead_sync_attempts where lead_id = gone.id and class is null))`,
    { leadIds },
  );
}

/** The record of a mistyped email that stays subscribed. */
export const ADDRESS_IS_USED = {
  reason: 'email-used',
  message: 'Somebody else uses this email',
} as const;
