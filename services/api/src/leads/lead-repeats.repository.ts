import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import type { FormType } from '@site/schema/lead';
import { createHash } from 'node:crypto';

/** The same address, form and visitor within this time is one lead: a double click. */
const SAME_FORM_MINUTES = 10;
/** A browser offers a lead that it could not send again for up to seven days, with the same key. */
const SAME_KEY_DAYS = 8;

type Submission = {
  email: string;
  formType: FormType;
  visitor: { ipAddress: string | null; userAgent: string | null };
  idempotencyKey: string | undefined;
  leadId: string;
};

/**
 * Decides whether a submission is a lead of its own (rule 1.4): returns its own id, or the id of the lead it repeats.
 * Runs in the insert's transaction and holds over all API processes. Simultaneous submissions wait for each other here,
 * always in the same order (key, then form), and the second finds the first.
 */
export async function takeRepeatKeys(trx: Database, submission: Submission): Promise<string> {
  const { idempotencyKey: key } = submission;
  const keyScope = key === undefined ? null : `key:${key.replaceAll('\0', '').slice(0, 255)}`;
  if (keyScope !== null) {
    const byKey = await take(trx, submission, keyScope, SAME_KEY_DAYS * 24 * 60);
    if (byKey !== submission.leadId) return byKey;
  }
  const byForm = await take(trx, submission, formScope(submission), SAME_FORM_MINUTES);
  if (keyScope !== null && byForm !== submission.leadId) {
    await trx('lead_repeats')
      .whereRaw('email_normalised = lower(?)', [submission.email])
      .where({ scope: keyScope })
      .update({ leadId: byForm });
  }
  return byForm;
}

/** Hashes address and browser, because this table needs to compare them, not to hold them. */
function formScope({ formType, visitor: { ipAddress, userAgent } }: Submission): string {
  const visitor = createHash('sha256')
    .update(JSON.stringify([ipAddress, userAgent]))
    .digest('hex');
  return `form:${formType}:${visitor}`;
}

/** Takes one key, unless a lead still has it. Returns the id of the lead that has it now. */
async function take(trx: Database, { email, leadId }: Submission, scope: string, minutes: number): Promise<string> {
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
