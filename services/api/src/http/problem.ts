import { isDatabaseUnavailable } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import { PROBLEMS, problemType } from '@site/schema/problem';
import type { ProblemDocument } from '@site/schema/calls/call';
import type { ProblemKind } from '@site/schema/problem';
import type { ErrorRequestHandler, Response } from 'express';
import type { z } from 'zod';

type Details = {
  detail?: string;
  errors?: { field: string; message: string }[];
  retryAfterSeconds?: number;
};

/** A refused request. Thrown anywhere below a route and answered in one place. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly kind: ProblemKind;
  readonly details: Details;

  constructor(kind: ProblemKind, details: Details = {}, options?: ErrorOptions) {
    super(details.detail ?? PROBLEMS[kind].title, options);
    this.kind = kind;
    this.details = details;
  }
}

export function problem(
  kind: ProblemKind,
  details?: Details,
  options?: ErrorOptions,
): ProblemError {
  return new ProblemError(kind, details, options);
}

/** Creates the refusal that names each invalid field. */
export function fieldsProblem(error: z.ZodError): ProblemError {
  const errors = error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }));
  const fields = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return problem('fields-invalid', { detail: `${fields.join('. ')}.`, errors });
}

/** Creates the refusal of one field. `message` is a sentence without its full stop. */
export function fieldProblem(field: string, message: string, options?: ErrorOptions): ProblemError {
  return problem(
    'fields-invalid',
    { detail: `${field}: ${message}.`, errors: [{ field, message }] },
    options,
  );
}

/** Sends a problem document (RFC 9457). */
function sendProblem(res: Response, { kind, details }: ProblemError): void {
  const { status, title } = PROBLEMS[kind];
  const { retryAfterSeconds, ...rest } = details;
  if (retryAfterSeconds !== undefined)
    res.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterSeconds))));
  const requestId = res.getHeader('X-Request-Id');
  const document: ProblemDocument = {
    type: problemType(kind),
    title,
    status,
    ...rest,
    ...(typeof requestId === 'string' ? { requestId } : {}),
  };
  res.status(status).type('application/problem+json').send(JSON.stringify(document));
}

const KIND_OF_STATUS: Partial<Record<number, ProblemKind>> = {
  400: 'bad-request',
  403: 'not-found',
  404: 'not-found',
  412: 'precondition-failed',
  415: 'media-type-unsupported',
  416: 'range-not-satisfiable',
};

/**
 * Converts an error of the body parser, the router or the database to a problem. Returns null for
 * our own bug.
 */
export function toProblem(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  if (isDatabaseUnavailable(error)) {
    return problem('database-unavailable', {
      detail: 'Nothing was stored. Please try again in a moment.',
      retryAfterSeconds: 5,
    });
  }
  if (!(error instanceof Error) || !('status' in error)) return null;
  if ('type' in error && error.type === 'entity.parse.failed') return problem('malformed-json');
  if (error.status === 413)
    return problem('body-too-large', { detail: 'The body may have at most 64 KiB.' });
  const kind = KIND_OF_STATUS[Number(error.status)];
  return kind === undefined ? null : problem(kind);
}

/**
 * Turns every error into an answer. Logs our own bugs once, and their answers reveal nothing
 * internal.
 */
export function answerProblems(log: Logger): ErrorRequestHandler {
  return (error, req, res, next) => {
    const refusal = toProblem(error);
    if (!refusal) log.error({ err: error, reqId: req.id }, 'request failed');
    else if (refusal.kind === 'database-unavailable')
      log.error({ err: error, reqId: req.id }, 'refused: the database is unavailable');
    if (res.headersSent) {
      next(error);
      return;
    }
    sendProblem(res, refusal ?? problem('internal-error'));
  };
}
