import type { Request } from 'express';
import type { z } from 'zod';
import { fieldsProblem, problem } from './problem.ts';

/** The JSON body as the schema has it. Throws 415 for another media type, 400 for what is no object, 422 naming each wrong field. */
export function parseBody<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
  if (!req.is('application/json')) {
    throw problem('media-type-unsupported', { detail: 'Send the body with Content-Type: application/json.' });
  }
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw problem('malformed-json', { detail: 'The body must be a JSON object.' });
  }
  return parseWith(schema, body);
}

/** The query string as the schema has it. Throws 422 naming each wrong field. */
export function parseQuery<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
  return parseWith(schema, req.query);
}

/** Path parameters as the schema has them. Throws 404: an address that cannot exist is not there. */
export function parseParams<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
  const result = schema.safeParse(req.params);
  if (!result.success) throw problem('not-found');
  return result.data;
}

function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw fieldsProblem(result.error);
  return result.data;
}
