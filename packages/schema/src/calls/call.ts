import type { z } from 'zod';
import type { ProblemKind } from '../problem.ts';

/** Method and path, as Express writes them: `GET /api/admin/leads/:id`. */
export type CallName = `${'GET' | 'POST' | 'DELETE'} /${string}`;

/**
 * One call of the API, declared once. The API's router and its document, the pages that make the call and the fake API of
 * their tests are all made from it.
 */
export type Call = {
  /** Its operation id in the document. */
  id: string;
  summary: string;
  description?: string;
  /** Every other call needs an operator's session. */
  isPublic?: true;
  /** The call does not keep the operator's session from ending. */
  isBackground?: true;
  /** An operator who has yet to set up the required second factor may make it. */
  isBeforeSecondFactor?: true;
  /** For what the operator must have given the password or a code within the last 15 minutes, as in "To …, enter …". */
  needsConfirmation?: string;
  /** Headers that the call reads. For the document only. */
  headers?: z.ZodObject;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** The JSON body. `raw` leaves its bytes as they came, for a signature. */
  body?: z.ZodType | 'raw';
  answers: Record<number, Answer>;
  /** Refusals beyond those that follow from the rest of the call. */
  problems?: readonly ProblemKind[];
};

/** JSON of a schema, text of another type, or nothing. */
export type Answer = {
  description: string;
  schema?: z.ZodType;
  contentType?: string;
  headers?: Record<string, string>;
};
