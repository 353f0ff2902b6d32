import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/**
 * Moves leads to their correct email, where each is pending in its next round. The round starts at
 * the lead's consent, so that the consent counts there (rule 2.13). Their former email is kept
 * beside them. A run that is adding the former email ends without changing the lead. The caller
 * must have locked both people.
 */
export async function moveLeads(
  trx: Database,
  move: { leadIds: string[]; email: string; operator: string },
): Promise<void> {
  await query(
    trx,
    `with kept as (
       insert into former_emails (lead_id, email, operator)
         select id, email, :operator from leads where id = any(:leadIds::uuid[])
     ), unlisted as (
       delete from differences where lead_id = any(:leadIds::uuid[])
     ), skipped as (
       update bulk_retry_leads set state = 'skipped'
       where lead_id = any(:leadIds::uuid[]) and state = 'started'
     ), asked as (
       update sample_requests set email = :email where lead_id = any(:leadIds::uuid[])
     )
     update leads set
       email = :email,
       beehiiv_status = 'pending',
       beehiiv_response = null,
       beehiiv_reason = null,
       beehiiv_sent_at = null,
       failed_at = null,
       subscriber_status = null,
       quarantine_reason = null,
       consent_due_at = null,
       outcome_unknown = false,
       urgency = 'new',
       sync_round = sync_round + 1,
       budget_spent = 0,
       round_started_at = coalesce(consent_timestamp, submitted_at),
       next_attempt_at = sync_now()
     where id = any(:leadIds::uuid[])`,
    move,
  );
  // Only a browser that repeats its request means the same visitor. Another form with the former
  // email, and our own requests, mean somebody else.
  await query(
    trx,
    `delete from submission_keys using leads
     where lead_id = leads.id and leads.id = any(:leadIds::uuid[])
       and (is_form or ip_address is null and consent_text_version is null)`,
    { leadIds: move.leadIds },
  );
}

/**
 * Marks other leads with the emails of these leads, former ones too, which are about to be deleted.
 * A deleted lead may have added its email, so a run must look the email up first.
 */
export async function passOnUnknown(trx: Database, leadIds: string[]): Promise<void> {
  await trx.raw(
    `update leads set outcome_unknown = true
     where id <> all(:leadIds::uuid[]) and not outcome_unknown and beehiiv_status <> 'sent'
       and email_normalised = any(array(
         select email_normalised from leads gone
         where id = any(:leadIds::uuid[])
           and (gone.outcome_unknown or gone.beehiiv_status = 'sent'
             or exists (select from lead_sync_attempts where lead_id = gone.id and class is null))
         union select former.email_normalised from former_emails former
           join lead_sync_attempts using (lead_id)
         where lead_id = any(:leadIds::uuid[])
       ))`,
    { leadIds },
  );
}

/** The record of a mistyped email that stays subscribed. */
export const ADDRESS_IS_USED = {
  reason: 'email-used',
  message: 'Somebody else uses this email',
} as const;
