import { CALLS } from '@site/schema/calls/calls';
import type { Calls, KnownCall } from '@site/schema/calls/calls';
import type { Call, CallName } from '@site/schema/calls/call';
import express, { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { fieldsProblem, problem } from './problem.ts';

export type Route = { name: CallName; call: Call; handlers: RequestHandler[] };

type Parsed<C, Part extends string> =
  C extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;
type Sent<Answer> = Answer extends { schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : void;
type Answers<C extends Call> = {
  [Status in keyof C['answers']]: Sent<C['answers'][Status]>;
}[keyof C['answers']];
type Answered<C extends Call> = Answers<C> | Promise<Answers<C>>;

/**
 * Handles a call's parsed request, and returns one of its declared answers. The status is the
 * lowest declared, unless the handler sets another. The handler itself sends anything that is not
 * JSON.
 */
type Handle<C extends Call> = (request: {
  params: Parsed<C, 'params'>;
  query: Parsed<C, 'query'>;
  body: Parsed<C, 'body'>;
  req: Request;
  res: Response;
}) => Answered<C>;

const MAX_JSON = '64kb';
/** Stripe's events hold whole objects. */
const MAX_RAW = '1mb';

/** Pairs a declared call with its handler. */
export function route<Name extends KnownCall>(name: Name, handle: Handle<Calls[Name]>): Route {
  const call: Call = CALLS[name];
  const { params, query, body } = call;
  const known = name.includes(' /api/admin/')
    ? new Set(Object.keys(query?.shape ?? {}))
    : undefined;
  const status = Math.min(...Object.keys(call.answers).map(Number));
  const isJson = call.answers[status]?.contentType === undefined;
  const handler: RequestHandler = async (req, res) => {
    if (known) refuseUnknownQuery(known, req);
    const request = {
      params: params && parseParams(params, req),
      query: query && parseWith(query, req.query),
      body: body === undefined || body === 'raw' ? undefined : parseBody(body, req),
      req,
      res,
    };
    res.status(status);
    const answer = await handle(request as Parameters<typeof handle>[0]);
    if (!isJson) return;
    if (answer === undefined) res.end();
    // Answers of the API are never cached, so they need no ETag.
    else
      res.setHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(answer));
  };
  return { name, call, handlers: body === undefined ? [handler] : [readBody(body), handler] };
}

const readBody = (body: z.ZodType | 'raw'): RequestHandler =>
  body === 'raw'
    ? express.raw({ type: 'application/json', limit: MAX_RAW })
    : express.json({ limit: MAX_JSON });

export function splitCall(name: string): { method: 'get' | 'post' | 'delete'; path: string } {
  const [method, path = ''] = name.split(' ');
  return { method: method === 'GET' ? 'get' : method === 'DELETE' ? 'delete' : 'post', path };
}

/** Returns the middleware that guards a call, by the call's declaration. */
export type Guard = (
  call?: Pick<Call, 'isForViewer' | 'isBackground' | 'isBeforeSetUp' | 'needsConfirmation'>,
) => RequestHandler;

/** Mounts routes. `guard` protects all but public routes. */
export function toRouter(routes: readonly Route[], guard: Guard): Router {
  const router = Router({ caseSensitive: true });
  for (const { name, call, handlers } of routes) {
    const { method, path } = splitCall(name);
    router[method](path, ...(call.isPublic ? [] : [guard(call)]), ...handlers);
  }
  return router;
}

/**
 * Parses the JSON body. Throws 415 for another media type, 400 if it is not an object, 422 naming
 * each invalid field.
 */
function parseBody<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
  if (!req.is('application/json')) {
    throw problem('media-type-unsupported', {
      detail: 'Send the body with Content-Type: application/json.',
    });
  }
  const body: unknown = req.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw problem('malformed-json', { detail: 'The body must be a JSON object.' });
  }
  return parseWith(schema, body);
}

/**
 * Refuses query parameters that the call does not have, because a mistyped filter would select
 * every lead. Calls from outside ignore them.
 */
function refuseUnknownQuery(known: Set<string>, req: Request): void {
  const errors = Object.keys(req.query)
    .filter((name) => !known.has(name))
    .map((field) => ({ field, message: 'There is no such parameter' }));
  if (errors.length === 0) return;
  const detail =
    'There is no query parameter ' +
    `${errors.map(({ field }) => `"${field.slice(0, 100)}"`).join(', ')}.`;
  throw problem('fields-invalid', { detail, errors });
}

/** Parses the path parameters. Throws 404, because an impossible path is not found. */
function parseParams<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
  const result = schema.safeParse(req.params);
  if (!result.success) throw problem('not-found');
  return result.data;
}

function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw fieldsProblem(result.error);
  return result.data;
}
