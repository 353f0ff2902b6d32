import { z } from 'zod';
import { withoutUnstorable } from '../text.ts';

/** In a query string, an empty value means no filter, like an absent one. */
export const absentWhenEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    const text = typeof value === 'string' ? withoutUnstorable(value) : value;
    return text === '' ? undefined : text;
  }, schema.optional());

const DAY_WORDS = 'Must be a date, YYYY-MM-DD';

/** Postgres has no year 0. */
export const day = z.iso
  .date({ error: DAY_WORDS })
  .refine((text) => text >= '0001', { error: DAY_WORDS });

/** The header that identifies a repeated call. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .max(200)
    .optional()
    .describe(
      'Any text of the caller’s. A call repeated with the same key answers like the first.',
    ),
});

/**
 * A moment in an answer: text for callers. The API may pass a Date, which JSON writes as that text.
 */
export const instant = z.iso.datetime() as z.ZodType<string, string | Date>;

export const leadIds = z
  .array(z.uuid())
  .min(1, 'Name at least one lead')
  .max(1_000, 'At most 1,000 leads');

/** The currency of the amounts beside it, as Stripe writes it: `gbp`. */
export const currency = z.string();

/** A whole number: a count or an amount. */
export const count = z.number().int();
export const pence = z.number().int();

export const amount = z.object({ pence, currency });

/** A subscription with its lead and its payer's email, which is null after an erasure. */
export const ofPayer = {
  stripeSubscriptionId: z.string(),
  email: z.string().nullable(),
  leadId: z.uuid().nullable(),
};

/** Text from a form: unstorable characters and outer spaces go. */
export const tidyText = (text: unknown) =>
  typeof text === 'string' ? withoutUnstorable(text).trim() : text;

export const MAX_NOTE_CHARS = 2_000;

/** A note about a person. */
export const noteText = z.preprocess(
  tidyText,
  z
    .string()
    .min(1, 'Write something first')
    .refine((text) => Array.from(text).length <= MAX_NOTE_CHARS, 'At most 2,000 characters'),
);
