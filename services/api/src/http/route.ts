import type { ProblemKind } from '@site/schema/problem';
import express, { Router } from 'express';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { fieldsProblem, problem } from './problem.ts';

/** One call of the API, declared once: the router is mounted from it, and `/api/openapi.json` is generated from it. */
export type Contract = {
  /** Method and path, as Express writes them: `GET /api/admin/leads/:id`. */
  call: `${'GET' | 'POST'} /${string}`;
  /** Its operation id in the document. */
  id: string;
  summary: string;
  description?: string;
  /** Every other call needs an operator's session. */
  isPublic?: boolean;
  /** The call does not keep the operator's session from ending. */
  isBackground?: boolean;
  /** An operator who has yet to set up the required second factor may make it. */
  isBeforeSecondFactor?: boolean;
  /** Headers that the call reads. For the document only. */
  headers?: z.ZodObject;
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  /** The JSON body. `raw` leaves its bytes as they came, for a signature. */
  body?: z.ZodType | 'raw' | undefined;
  /** By status. */
  answers: Record<number, Answer>;
  /** Refusals beyond those that follow from the rest of the contract. */
  problems?: readonly ProblemKind[];
};

/** JSON of a schema, text of another type, or nothing. */
export type Answer = {
  description: string;
  schema?: z.ZodType;
  contentType?: string;
  headers?: Record<string, string>;
};

export type Route = Contract & { handlers: RequestHandler[] };

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Sent<A> = A extends { schema: z.ZodType }
  ? z.input<A['schema']>
  : A extends { contentType: string }
    ? string
    : void;

type Declared<P, Q, B, A> = Omit<Contract, 'params' | 'query' | 'body' | 'answers'> & {
  params?: P;
  query?: Q;
  body?: B;
  answers: A;
  /** Gets the parsed request, and may answer only what the contract says. */
  handle: (call: {
    params: Parsed<P>;
    query: Parsed<Q>;
    body: Parsed<B>;
    req: Request;
    res: Response<{ [Status in keyof A]: Sent<A[Status]> }[keyof A]>;
  }) => void | Promise<void>;
};

const MAX_JSON = '64kb';
/** Stripe's events hold whole objects. */
const MAX_RAW = '1mb';

/** Declares a call: its contract and what handles it. */
export function route<
  P extends Contract['params'] = undefined,
  Q extends Contract['query'] = undefined,
  B extends Contract['body'] = undefined,
  const A extends Contract['answers'] = Contract['answers'],
>({ handle, ...contract }: Declared<P, Q, B, A>): Route {
  const { call, params, query, body } = contract;
  const known = / \/api\/admin\//.test(call) ? new Set(Object.keys(query?.shape ?? {})) : undefined;
  const handler: RequestHandler = (req, res) => {
    if (known) refuseUnknownQuery(known, req);
    return handle({
      params: (params && parseParams(params, req)) as Parsed<P>,
      query: (query && parseQuery(query, req)) as Parsed<Q>,
      body: (body === undefined || body === 'raw' ? undefined : parseBody(body, req)) as Parsed<B>,
      req,
      res,
    });
  };
  return { ...contract, handlers: body === undefined ? [handler] : [readBody(body), handler] };
}

const readBody = (body: z.ZodType | 'raw'): RequestHandler =>
  body === 'raw' ? express.raw({ type: 'application/json', limit: MAX_RAW }) : express.json({ limit: MAX_JSON });

/** A call's method, and its path. */
export function splitCall({ call }: Contract): { method: 'get' | 'post'; path: string } {
  const [method, path = ''] = call.split(' ');
  return { method: method === 'GET' ? 'get' : 'post', path };
}

/** Returns what lets an operator's calls through, with what a contract says about it. */
export type Guard = (call?: Pick<Contract, 'isBackground' | 'isBeforeSecondFactor'>) => RequestHandler;

/** Mounts routes. Those that are not public are behind `guard`. */
export function toRouter(routes: readonly Route[], guard: Guard): Router {
  const router = Router({ caseSensitive: true });
  for (const route of routes) {
    const { method, path } = splitCall(route);
    router[method](path, ...(route.isPublic ? [] : [guard(route)]), ...route.handlers);
  }
  return router;
}

/**
 * Parses the JSON body. Throws 415 for another media type, 400 if it is not an object, 422 naming each invalid field.
 */
function parseBody<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
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
function parseQuery<T extends z.ZodType>(schema: T, req: Request): z.output<T> {
  return parseWith(schema, req.query);
}

/**
 * Refuses query parameters that the call does not have: a mistyped filter would otherwise select every lead. Calls from
 * outside ignore them.
 */
function refuseUnknownQuery(known: Set<string>, req: Request): void {
  const errors = Object.keys(req.query)
    .filter((name) => !known.has(name))
    .map((field) => ({ field, message: 'There is no such parameter' }));
  if (errors.length === 0) return;
  const detail = `There is no query parameter ${errors.map(({ field }) => `"${field.slice(0, 100)}"`).join(', ')}.`;
  throw problem('fields-invalid', { detail, errors });
}

/** Parses the path parameters. Throws 404: an address that cannot exist is not found. */
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
