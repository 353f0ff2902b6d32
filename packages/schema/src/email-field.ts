import { z } from 'zod';
import { describeEmailFault, findEmailFault, tidyEmail } from './email.ts';
import { toStoredText } from './text.ts';

/** An address as typed. It is tidied, or refused with a message that says what is missing. */
export const emailField = z
  .unknown()
  .optional()
  .transform((value) => tidyEmail(toStoredText(value, 1_000) ?? ''))
  .superRefine((email, ctx) => {
    const fault = findEmailFault(email);
    if (fault) ctx.addIssue({ code: 'custom', message: describeEmailFault(fault) });
  });
