import type { Database } from '@site/platform/database/connect';
import type { FormType } from '@site/schema/lead';

/** The same address and form within this time is one lead. */
const SAME_FORM_MINUTES = 10;
/** A browser offers a lead it could not send again for up to seven days, with its key. */
const SAME_KEY_DAYS = 8;

type Submission = { email: string; formType: FormType; idempotencyKey: string | undefined; leadId: string };

/**
 * Decides within the insert's transaction, over all API processes, whether a submission is a lead of its
 * own: returns its own id, or the id of the lead it repeats. Two at once wait for each other here, in
 * the same order always (key, then form), and the second finds the first.
 */
export async function takeRepeatKeys(trx: Database, submission: Submission): Promise<string> {
  const { idempotencyKey: key } = submission;
  const keyScope = key === undefined ? null : `key:${key.replaceAll('\0', '').slice(0, 255)}`;
  if (keyScope !== null) {
    const byKey = await take(trx, submission, keyScope, SAME_KEY_DAYS * 24 * 60);
    if (byKey !== submission.leadId) return byKey;
  }
  const byForm = await take(trx, submission, `form:${submission.formType}`, SAME_FORM_MINUTES);
  if (keyScope !== null && byForm !== submission.leadId) {
    await trx.raw(
      'update lead_repeats set lead_id = :byForm where email_normalised = lower(:email) and scope = :keyScope',
      {
        byForm,
        email: submission.email,
        keyScope,
      },
    );
  }
  return byForm;
}

/** Takes one key unless a lead holds it still; returns the id of the lead that has it now. */
async function take(trx: Database, { email, leadId }: Submission, scope: string, minutes: number): Promise<string> {
  const { rows } = await trx.raw(
    `insert into lead_repeats (email_normalised, scope, lead_id, until)
       values (lower(:email), :scope, :leadId, sync_now() + make_interval(mins => :minutes))
     on conflict (email_normalised, scope) do update set lead_id = excluded.lead_id, until = excluded.until
       where lead_repeats.until <= sync_now()
     returning lead_id`,
    { email, scope, leadId, minutes },
  );
  if (rows.length > 0) return leadId;
  const holder = await trx.raw(
    'select lead_id from lead_repeats where email_normalised = lower(:email) and scope = :scope',
    { email, scope },
  );
  return holder.rows[0].leadId;
}
