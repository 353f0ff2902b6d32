import { createHash } from 'node:crypto';
import type { LeadValues } from '@site/schema/lead';

/** The same address, form and visitor within this time is one lead: a double click. */
export const SAME_FORM_MINUTES = 10;
/** A browser offers a lead that it could not send again for up to seven days, with the same key. */
export const SAME_KEY_MINUTES = 8 * 24 * 60;

/** What makes two submissions one lead (rule 1.4): the form with its visitor and, if there is one, the key. */
export type RepeatKeys = { form: string; key: string | null };

/** Names what a submission's repeats have in common. Hashes address and browser: this table needs to compare them, not to hold them. */
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
