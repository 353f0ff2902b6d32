import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { createHash } from 'node:crypto';
import type { NewLead } from './lead.repository.ts';

/** The same address, form and visitor within this time is one lead: a double click. */
export const SAME_FORM_MINUTES = 10;
/** A browser offers a lead that it could not send again for up to seven days, with the same key. */
export const SAME_KEY_MINUTES = 8 * 24 * 60;

/** What makes two submissions one lead (rule 1.4): the form with its visitor and, if there is one, the key. */
export type RepeatKeys = { form: string; key: string | null };

/** Names what a submission's repeats have in common. Hashes address and browser: this table needs to compare them, not to hold them. */
export function toRepeatKeys(
  { formType, ipAddress, userAgent }: NewLead,
  idempotencyKey: string | undefined,
): RepeatKeys {
  const visitor = createHash('sha256')
    .update(JSON.stringify([ipAddress, userAgent]))
    .digest('hex');
  const key = idempotencyKey === undefined ? null : `key:${idempotencyKey.replaceAll('\0', '').slice(0, 255)}`;
  return { form: `form:${formType}:${visitor}`, key };
}

/**
 * Decides whether a submission is a lead of its own (rule 1.4): returns its own id, or the id of the lead it repeats.
 * Runs in the insert's transaction and holds over all API processes. Simultaneous submissions wait for each other here,
 * always in the same order (key, then form), and the second finds the first.
 */
export async function takeRepeatKeys(trx: Database, lead: NewLead, { key, form }: RepeatKeys): Promise<string> {
  if (key !== null) {
    const byKey = await take(trx, lead, key, SAME_KEY_MINUTES);
    if (byKey !== lead.id) return byKey;
  }
  const byForm = await take(trx, lead, form, SAME_FORM_MINUTES);
  if (key !== null && byForm !== lead.id) {
    await trx('lead_repeats')
      .whereRaw('email_normalised = lower(?)', [lead.email])
      .where({ scope: key })
      .update({ leadId: byForm });
  }
  return byForm;
}

/** Takes one key, unless a lead still has it. Returns the id of the lead that has it now. */
async function take(trx: Database, { email, id: leadId }: NewLead, scope: string, minutes: number): Promise<string> {
  const taken = await query<Pick<Row<'lead_repeats'>, 'leadId'>>(
    trx,
    `insert into lead_repeats (email_normalised, scope, lead_id, until)
       values (lower(:email), :scope, :leadId, sync_now() + make_interval(mins => :minutes))
     on conflict (email_normalised, scope) do update set lead_id = excluded.lead_id, until = excluded.until
       where lead_repeats.until <= sync_now()
     returning lead_id`,
    { email, scope, leadId, minutes },
  );
  if (taken.length > 0) return leadId;
  const owner = await queryOne<{ leadId: string }>(
    trx,
    'select lead_id from lead_repeats where email_normalised = lower(:email) and scope = :scope',
    { email, scope },
  );
  return owner.leadId;
}
