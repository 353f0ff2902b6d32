import { z } from 'zod';

/** The header by which a repeated call is recognised. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .max(200)
    .optional()
    .describe('Any text of the caller’s. A call repeated with the same key answers like the first.'),
});
