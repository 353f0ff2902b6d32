import { z } from 'zod';

/** A refused request (RFC 9457). */
export const problemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  requestId: z.string().optional(),
});
export type ProblemDocument = z.infer<typeof problemDocument>;
