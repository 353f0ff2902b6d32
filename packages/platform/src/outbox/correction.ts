import type { Database } from '../database/connect.ts';
import { IS_CLAIMED } from './address-lease.ts';

/**
 * True for a row of `leads` whose address was corrected: another lead has the correct one. It is never sent again. The
 * second condition lets Postgres begin with the few corrections instead of every failed lead.
 */
export const IS_CORRECTED =
  'exists (select from leads later where later.corrected_from = leads.id and later.corrected_from is not null)';
export const IS_NOT_CORRECTED = `not ${IS_CORRECTED}`;
/** Orders the leads of an address: its owner's, then those that a correction brought there, then those that have left it. */
export const OWNERS_FIRST = `${IS_CORRECTED}, corrected_from is not null`;

/** True for a row of `leads` that was corrected away from its address, while somebody of another name stays there. */
export const HAS_LEFT = `(${IS_CORRECTED} and exists (
  select from leads stayed where stayed.email_normalised = leads.email_normalised
    and lower(stayed.full_name) <> lower(leads.full_name)
    and not exists (select from leads later where later.corrected_from = stayed.id)))`;

/**
 * Marks a pending lead as failed, because another lead has its correct address. Leaves a claimed lead alone:
 * `withdrawCorrected` follows the run.
 */
export async function withdrawLead(trx: Database, leadId: string): Promise<void> {
  await trx('leads')
    .where({ id: leadId, beehiivStatus: 'pending' })
    .whereRaw(`not ${IS_CLAIMED}`)
    .update({ beehiivStatus: 'failed', nextAttemptAt: null });
}

/** Withdraws a lead that was corrected during a run, once that run has ended without sending it. */
export async function withdrawCorrected(trx: Database, leadId: string): Promise<void> {
  const later = await trx('leads')
    .where({ correctedFrom: leadId })
    .first<{ id: string } | undefined>('id');
  if (later) await withdrawLead(trx, leadId);
}

/**
 * Lets leads of an address know that it may have been added for one of these, which are about to be deleted: it is looked up
 * before it is added.
 */
export async function passOnUnknown(trx: Database, leadIds: string[]): Promise<void> {
  await trx.raw(
    `update leads set outcome_unknown = true from leads gone
     where gone.id = any(:leadIds::uuid[]) and leads.id <> all(:leadIds::uuid[]) and not leads.outcome_unknown
       and leads.email_normalised = gone.email_normalised and leads.beehiiv_status <> 'sent'
       and (gone.outcome_unknown or gone.beehiiv_status = 'sent'
         or exists (select from lead_sync_attempts where lead_id = gone.id and class is null))`,
    { leadIds },
  );
}
