import type { Database } from '@site/platform/database/connect';
import { z } from 'zod';

const DAY_MS = 24 * 60 * 60_000;

/**
 * The lead a checkout belongs to: the one it names, else the newest pre_buy of the address that was sent
 * at most a day before the checkout began; null where there is none.
 */
export async function findCheckoutLead(
  db: Database,
  checkout: { leadReference: string | null; email: string | null; begunAt: Date },
): Promise<string | null> {
  // A reference comes back from Stripe, where others may have written it.
  const leadId = z.uuid().safeParse(checkout.leadReference).data ?? null;
  const { rows } = await db.raw(
    `select id from leads where id = :leadId
     union all
     (select id from leads
      where email_normalised = lower(:email) and form_type = 'pre_buy' and submitted_at >= :since
        and not exists (select from leads where id = :leadId)
      order by submitted_at desc, id desc limit 1)`,
    { leadId, email: checkout.email, since: new Date(checkout.begunAt.getTime() - DAY_MS) },
  );
  return rows[0]?.id ?? null;
}

/** True when some lead has this address, so that the newsletter gets to know it. */
export async function hasLead(db: Database, email: string): Promise<boolean> {
  return (await db('leads').whereRaw('email_normalised = lower(?)', [email]).first('id')) !== undefined;
}

/** True for a lead that is held back because it looked like a robot's. */
export async function isQuarantined(db: Database, leadId: string): Promise<boolean> {
  const lead = await db('leads').where({ id: leadId }).first('quarantineReason');
  return lead !== undefined && lead.quarantineReason !== null;
}
