import { z } from 'zod';
import { describeEmailFault, findEmailFault, MAX_EMAIL_LENGTH, tidyEmail } from './email.ts';
import { toStoredText } from './text.ts';

/** What callers should send: a schema cannot tell what is tidied before it is checked. */
export const DOCUMENTED_EMAIL = { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH };

/** An address as typed. It is tidied, or refused with a message that says what is missing. */
export const emailField = z
  .unknown()
  .transform((value) => tidyEmail(toStoredText(value, 1_000) ?? ''))
  .superRefine((email, ctx) => {
    const fault = findEmailFault(email);
    if (fault) ctx.addIssue({ code: 'custom', message: describeEmailFault(fault) });
  })
  .meta(DOCUMENTED_EMAIL);
