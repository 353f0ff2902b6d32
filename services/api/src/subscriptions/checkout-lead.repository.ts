import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';
import { z } from 'zod';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Finds the lead of a checkout: the one it names, else the newest pre_buy of its address submitted within a day of
 * the checkout's start, which is as long as a checkout stays open. A later lead is used only if there is no such one,
 * because a late event must not bind the checkout to another visit. Returns null if there is none.
 */
export async function findCheckoutLead(
  db: Database,
  checkout: { leadReference: string | null; email: string | null; startedAt: Date },
): Promise<string | null> {
  // Others may have written a reference that comes back from Stripe.
  const leadId = z.uuid().safeParse(checkout.leadReference).data ?? null;
  const begunMs = checkout.startedAt.getTime();
  const [lead] = await query<{ id: string }>(
    db,
    `select id from leads where id = :leadId
     union all
     (select id from leads
      where email_normalised = lower(:email) and form_type = 'pre_buy' and submitted_at >= :since
        and not exists (select from leads where id = :leadId)
      order by submitted_at > :until, submitted_at desc, id desc limit 1)`,
    { leadId, email: checkout.email, since: new Date(begunMs - DAY_MS), until: new Date(begunMs + DAY_MS) },
  );
  return lead?.id ?? null;
}

/** Finds the lead that a subscription names. Returns null if there is none. */
export async function findLead(db: Database, leadReference: string | null): Promise<string | null> {
  return findCheckoutLead(db, { leadReference, email: null, startedAt: new Date(0) });
}

/**
 * True if this address will reach Beehiiv: through the lead that the payment releases, or through one that is not
 * quarantined. A corrected lead goes to another address.
 */
export async function willKnow(db: Database, email: string, releasedLeadId: string | null): Promise<boolean> {
  const lead = await db('leads')
    .whereRaw('email_normalised = lower(?)', [email])
    .whereRaw('(quarantine_reason is null or id = ?)', [releasedLeadId])
    .whereRaw(IS_NOT_CORRECTED)
    .first('id');
  return lead !== undefined;
}

/** True if the lead is quarantined. */
export async function isQuarantined(db: Database, leadId: string): Promise<boolean> {
  const lead = await db('leads').where({ id: leadId }).first('quarantineReason');
  return lead !== undefined && lead.quarantineReason !== null;
}
