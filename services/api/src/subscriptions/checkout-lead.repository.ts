import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';
import { z } from 'zod';

const DAY_MS = 24 * 60 * 60_000;

/**
 * The lead a checkout belongs to: the one it names, else the newest pre_buy of the address that was sent
 * within a day of the checkout's beginning, which is as long as a checkout stays open. One of later is only
 * taken where there is none such: what is told late must not be bound to another visit. Null without any.
 */
export async function findCheckoutLead(
  db: Database,
  checkout: { leadReference: string | null; email: string | null; startedAt: Date },
): Promise<string | null> {
  // A reference comes back from Stripe, where others may have written it.
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

/** True when the newsletter gets to know this address: by the lead that is released with the payment, or by one that is not held back. One that was corrected goes to another address. */
export async function willKnowPayer(db: Database, email: string, releasedLeadId: string): Promise<boolean> {
  const lead = await db('leads')
    .whereRaw('email_normalised = lower(?)', [email])
    .whereRaw('(quarantine_reason is null or id = ?)', [releasedLeadId])
    .whereRaw(IS_NOT_CORRECTED)
    .first('id');
  return lead !== undefined;
}

/** True for a lead that is held back because it looked like a robot's. */
export async function isQuarantined(db: Database, leadId: string): Promise<boolean> {
  const lead = await db('leads').where({ id: leadId }).first('quarantineReason');
  return lead !== undefined && lead.quarantineReason !== null;
}
