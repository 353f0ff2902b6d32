import type { Request } from 'express';
import type { z } from 'zod';
import { fieldsProblem, problem } from './problem.ts';

/**
 * Parses the JSON body. Throws 415 for another media type, 400 if it is not an object, 422 naming each invalid field.
 */
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

/** Parses the query string. Throws 422 naming each invalid field. */
export function parseQuery<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
  return parseWith(schema, req.query);
}

/** Parses the path parameters. Throws 404: an address that cannot exist is not found. */
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
