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

/** When a round without a new consent starts: after the lead's consent (rule 2.13), also if the clock has stepped back since. */
export const ROUND_START = `greatest(sync_now(), coalesce(consent_timestamp, submitted_at) + interval '1 millisecond')`;

/**
 * Makes leads due now. A failed lead starts a new round, and its quarantine ends; a pending lead stays in its round.
 * Sent, claimed and corrected leads are left alone. A lead that is retried alone comes first. Returns the ids that are now due.
 * Before: the operator's Retry, or the API when it lifts a quarantine. Next: `sync-queue.ts`.
 */
export async function retryLeads(db: Database, leadIds: string[]): Promise<string[]> {
  const isAlone = leadIds.length === 1;
  return db.transaction(async (trx) => {
    const restarted = await trx('leads')
      .whereIn('id', leadIds)
      .where({ beehiivStatus: 'failed' })
      .whereRaw(IS_NOT_CORRECTED)
      .update({
        beehiivStatus: 'pending',
        syncRound: trx.raw('sync_round + 1'),
        syncAttempts: 0,
        roundStartedAt: trx.raw(ROUND_START),
        nextAttemptAt: trx.raw('sync_now()'),
        quarantineReason: null,
        urgency: isAlone ? 'first' : 'retry',
      })
      .returning<{ id: string }[]>('id');
    const madeDue = await trx('leads')
      .whereIn('id', leadIds)
      .whereNotIn(
        'id',
        restarted.map((row) => row.id),
      )
      .where({ beehiivStatus: 'pending' })
      .whereRaw(IS_NOT_CORRECTED)
      .whereRaw(`not ${IS_CLAIMED}`)
      .update({
        nextAttemptAt: trx.raw('least(next_attempt_at, sync_now())'),
        ...(isAlone && { urgency: 'first' }),
      })
      .returning<{ id: string }[]>('id');
    return [...restarted, ...madeDue].map((row) => row.id);
  });
}

/**
 * Marks a pending lead as failed, with the reason as its response, which a failed lead gets too. Leaves a claimed lead
 * alone.
 */
export async function withdrawLead(trx: Database, leadId: string, reason: string): Promise<void> {
  await trx('leads')
    .where({ id: leadId })
    .whereIn('beehiivStatus', ['pending', 'failed'])
    .whereRaw(`not ${IS_CLAIMED}`)
    .update({ beehiivStatus: 'failed', beehiivResponse: reason, nextAttemptAt: null });
}

/** Withdraws a lead that was corrected during a run, once that run has ended without sending it. */
export async function withdrawCorrected(trx: Database, leadId: string): Promise<void> {
  const later = await trx('leads').where({ correctedFrom: leadId }).first<{ id: string } | undefined>('id');
  if (later) await withdrawLead(trx, leadId, correctedTo(later.id));
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
       and (gone.outcome_unknown or gone.beehiiv_status = 'sent' or gone.subscriber_id is not null
         or exists (select from lead_sync_attempts where lead_id = gone.id and class is null))`,
    { leadIds },
  );
}

/** The response of a lead whose address has been corrected, by which version 0.2.0 knows it. */
export const correctedTo = (laterId: string) => `corrected: sent as lead ${laterId}`;
