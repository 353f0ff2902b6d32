import type { ProblemKind } from '@site/schema/problem';
import type { z } from 'zod';

export type JsonSchema = { [keyword: string]: unknown };

/** What a body or a query holds: the contract that parses it, and words for what a schema cannot tell of it. */
export type Input = {
  schema: z.ZodType;
  /** Replaces the schema of single fields: those that the contract tidies before it judges them. */
  fields?: Record<string, JsonSchema>;
  required?: string[];
};

export type AnswerContent = {
  description: string;
  /** One of the shared schemas, or what the content is where it is not JSON of a contract. */
  schema?: z.ZodType | JsonSchema;
  /** JSON where there is a schema and nothing else is said. */
  contentType?: string;
  headers?: Record<string, string>;
};

export type Parameter = { name: string; in: 'path' | 'header'; description: string; schema: JsonSchema };

/** One call of the API, as its document tells it. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in the document: `/api/admin/leads/{id}`. */
  path: string;
  id: string;
  tag: 'Visitors' | 'Console' | 'Stripe' | 'Operations';
  summary: string;
  description?: string;
  /** Needs an operator's session. */
  isForOperators?: boolean;
  parameters?: Parameter[];
  query?: Input;
  body?: Input;
  /** By status. */
  answers: Record<number, AnswerContent>;
  /** The refusals beyond those that any call may meet. */
  problems?: ProblemKind[];
};

/** What a JSON body may be refused for, whatever it holds. */
export const BODY_PROBLEMS: ProblemKind[] = [
  'malformed-json',
  'body-too-large',
  'media-type-unsupported',
  'fields-invalid',
];

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Any text of the caller’s. The same key makes a repeat of the same call answer like the first.',
  schema: { type: 'string', maxLength: 200 },
};

export const pathId = (description: string, schema: JsonSchema): Parameter => ({
  name: 'id',
  in: 'path',
  description,
  schema,
});
