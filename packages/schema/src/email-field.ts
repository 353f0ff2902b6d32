import { z } from 'zod';
import { toEmailErrorText, findEmailError, MAX_EMAIL_LENGTH, tidyEmail } from './email.ts';
import { toStoredText } from './text.ts';

/** The format for callers. A schema cannot describe the tidying before the check. */
export const DOCUMENTED_EMAIL = { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH };

/** An email as typed. It is tidied, or refused with a message that names the error. */
export const emailField = z
  .unknown()
  .transform((value) => tidyEmail(toStoredText(value, 1_000) ?? ''))
  .superRefine((email, ctx) => {
    const error = findEmailError(email);
    if (error) ctx.addIssue({ code: 'custom', message: toEmailErrorText(error) });
  })
  .meta(DOCUMENTED_EMAIL);
