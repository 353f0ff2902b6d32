import { z } from 'zod';
import { withoutUnstorable } from '../text.ts';

/** In a query string, an empty value means no filter, like a missing name. */
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

/** The header by which a repeated call is recognised. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .max(200)
    .optional()
    .describe(
      'Any text of the caller’s. A call repeated with the same key answers like the first.',
    ),
});

/** A moment in an answer: text for callers. The API may give a Date, which JSON writes as that text. */
export const instant = z.iso.datetime() as z.ZodType<string, string | Date>;

export const leadIds = z
  .array(z.uuid())
  .min(1, 'Name at least one lead')
  .max(1_000, 'At most 1,000 leads');

/** Of the amounts beside it, as Stripe writes it: `gbp`. */
export const currency = z.string();

/** Whole numbers: how many, and an amount. */
export const count = z.number().int();
export const pence = z.number().int();

/** A subscription with its payer’s address, null for someone who was erased, and their lead. */
export const ofPayer = {
  stripeSubscriptionId: z.string(),
  email: z.string().nullable(),
  leadId: z.uuid().nullable(),
};
