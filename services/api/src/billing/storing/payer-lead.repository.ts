import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { z } from 'zod';

const DAY_MS = 24 * 60 * 60_000;

/** A payer's lead and email. `isCorrected`: an operator has corrected the email that they gave. */
export type Payer<Email = string | null> = {
  leadId: string | null;
  leadEmail: string | null;
  email: Email;
  isCorrected: boolean;
};

/**
 * Finds the lead of a checkout or subscription. It is the named lead, or for a checkout the newest
 * pre_buy lead of its email within a day of its start, because a checkout stays open for a day.
 * Uses a later lead only as a last resort, because a late event must not bind the checkout to
 * another visit. A checkout that a correction moved, or one that recovers it, is the corrected
 * email's. A lead that had the payer's email before a correction comes after the leads that have it
 * now, and only for a checkout that began before the correction: later ones are of the email's real
 * owner. If the lead is no pre_buy lead, it gives only its email.
 */
export async function findPayer<Email extends string | null>(
  db: Database,
  {
    email,
    ...checkout
  }: {
    leadReference: string | null;
    email: Email;
    startedAt: Date | null;
    /** Its own id, and that of the checkout that it recovers. */
    checkoutIds?: string[];
    /** Nobody has opened the checkout yet. */
    isNew?: boolean;
  },
): Promise<Payer<Email | string>> {
  // Stripe may return a reference that is not one of ours.
  const leadId = z.uuid().safeParse(checkout.leadReference).data ?? null;
  const around = (ms: number) => checkout.startedAt && new Date(checkout.startedAt.getTime() + ms);
  type Found = { id: string; email: string; isCorrected: boolean; isOrder: boolean };
  const [lead] = await query<Found>(
    db,
    `with found as (
       select id, 0 as place from leads where id = :leadId
       union all (
         select id, 1 from leads
         where email_normalised = normalised_email(:email) and form_type = 'pre_buy'
           and submitted_at >= :since
         order by submitted_at > :until, submitted_at desc, id desc
         limit 1
       )
       union all (
         select leads.id, case when leads.id = :leadId then -2 else -1 end
         from leads join checkouts using (email_normalised)
         where stripe_checkout_session_id = any(:checkoutIds::text[]) and is_moved
         order by leads.id is distinct from :leadId, form_type <> 'pre_buy', submitted_at desc
         limit 1
       )
       union all (
         select leads.id, 2
         from former_emails former join leads on leads.id = lead_id
         where former.email_normalised = normalised_email(:email) and form_type = 'pre_buy'
           and submitted_at >= :since and former.corrected_at >= :correctedSince
         order by submitted_at > :until, submitted_at desc, leads.id desc
         limit 1
       )
     )
     select leads.id, email, place in (-2, 0) or form_type = 'pre_buy' as is_order,
       email_normalised <> normalised_email(:email) and (place < 0 or exists (
         select from former_emails former
         where former.lead_id = leads.id and former.email_normalised = normalised_email(:email)
       )) as is_corrected
     from found join leads using (id)
     order by place
     limit 1`,
    {
      leadId,
      email,
      correctedSince: checkout.isNew === true ? 'infinity' : checkout.startedAt,
      since: around(-DAY_MS),
      until: around(DAY_MS),
      checkoutIds: checkout.checkoutIds ?? [],
    },
  );
  const isCorrected = lead?.isCorrected === true;
  return {
    leadId: lead?.isOrder ? lead.id : null,
    leadEmail: lead?.email ?? null,
    email: isCorrected ? lead.email : email,
    isCorrected,
  };
}

/**
 * Returns true if this email will reach Beehiiv, through the lead that the payment releases or an
 * unquarantined lead.
 */
export async function willKnow(
  db: Database,
  email: string,
  releasedLeadId: string | null,
): Promise<boolean> {
  const lead = await db('leads')
    .whereRaw('email_normalised = normalised_email(?)', [email])
    .whereRaw('(quarantine_reason is null or id = ?)', [releasedLeadId])
    .first('id');
  return lead !== undefined;
}

/**
 * Lists the failed leads that a payment sends again: the paid lead if it is quarantined, because
 * bots do not pay, and the email's newest lead, unless another of its leads is sent or waiting.
 */
export async function listToSendAgain(
  db: Database,
  email: string,
  leadId: string | null,
): Promise<string[]> {
  const leads = await query<{ id: string }>(
    db,
    `(select id
     from leads
     where id = :leadId and quarantine_reason is not null and beehiiv_status = 'failed')
     union
     (select id from leads
      where email_normalised = normalised_email(:email) and beehiiv_status = 'failed'
        and not exists (
        select from leads other where other.email_normalised = normalised_email(:email)
          and (other.beehiiv_status <> 'failed'
          or (other.id = :leadId and other.quarantine_reason is not null)))
      order by submitted_at desc, id desc limit 1)`,
    { email, leadId },
  );
  return leads.map(({ id }) => id);
}

/** Finds the newest lead of an email. */
export async function findNewestLead(db: Database, email: string): Promise<string | null> {
  const lead = await db('leads')
    .whereRaw('email_normalised = normalised_email(?)', [email])
    .orderBy('submittedAt', 'desc')
    .first('id');
  return lead?.id ?? null;
}
