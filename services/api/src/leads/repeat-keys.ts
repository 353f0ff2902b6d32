import { createHash } from 'node:crypto';
import type { LeadValues } from '@site/schema/lead';

/** The same email, form and visitor within this time is one lead: a double click. */
export const SAME_FORM_MINUTES = 10;
/** A browser sends an unsent lead again for up to seven days, with the same key. */
export const SAME_KEY_MINUTES = 8 * 24 * 60;

/**
 * The keys that make two submissions one lead (rule 1.4): the form with its visitor and, if there
 * is one, the client's key.
 */
export type RepeatKeys = { form: string; key: string | null };

/**
 * Returns the keys that a submission shares with its repeats. Hashes email and browser: the table
 * only compares them.
 */
export function toRepeatKeys(
  { formType, ipAddress, userAgent }: Pick<LeadValues, 'formType' | 'ipAddress' | 'userAgent'>,
  idempotencyKey: string | undefined,
): RepeatKeys {
  const visitor = createHash('sha256')
    .update(JSON.stringify([ipAddress, userAgent]))
    .digest('hex');
  const key =
    idempotencyKey === undefined
      ? null
      : `key:${idempotencyKey.replaceAll('\0', '').slice(0, 255)}`;
  return { form: `form:${formType}:${visitor}`, key };
}
