import type { ProblemKind } from '../problem.ts';
import { z } from 'zod';

/** Method and path in Express's notation: `GET /api/admin/leads/:id`. */
export type CallName = `${'GET' | 'POST' | 'DELETE'} /${string}`;

/**
 * One call of the API, declared once. The router, the API document, the calling pages and the fake
 * API of their tests derive from it.
 */
export type Call = {
  /** The operation id in the API document. */
  id: string;
  summary: string;
  description?: string;
  /** Every other call needs an operator's session. */
  isPublic?: true;
  /** A viewer may make the call too. Every other call of the console is for owners. */
  isForViewer?: true;
  /** The call does not count as use of the operator's session. */
  isBackground?: true;
  /**
   * An operator who must first change a one-time password or set up two-step login may make the
   * call.
   */
  isBeforeSetUp?: true;
  /**
   * The call needs the password or a code of the last 15 minutes. Completes the sentence "To …,
   * enter …".
   */
  needsConfirmation?: string;
  /** Headers that the call reads, for the API document only. */
  headers?: z.ZodObject;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** The JSON body. `raw` keeps the original bytes, for a signature. */
  body?: z.ZodType | 'raw';
  answers: Record<number, Answer>;
  /** Refusals in addition to the usual refusals of such a call. */
  problems?: readonly ProblemKind[];
};

/**
 * An answer: JSON of a schema, text of another type, or nothing. Most are described by the call's
 * summary.
 */
export type Answer = {
  description?: string;
  schema?: z.ZodType;
  contentType?: string;
};

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
