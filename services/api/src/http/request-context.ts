import type { Logger } from '@site/platform/process/logger';
import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';

declare global {
  // Express merges this namespace into its requests.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface Request {
      id: string;
    }
  }
}

/**
 * Accepts a caller's request id only if it is plain, because it goes into a header and every log
 * line.
 */
function toRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Leaves out a checkout's id, which opens its receipt, and the secret of Beehiiv's webhook. */
const pathOf = (url: string) =>
  (url.split('?', 1)[0] ?? '')
    .replace(/^(\/api\/checkout\/session\/).+/, '$1:id')
    .replace(/^(\/+api\/+beehiiv\/).+/i, '$1events/:secret');

/**
 * Gives each request an id (in header, body and log) and one log line. The line has only the path,
 * because a query may hold personal data.
 */
export function requestContext(log: Logger): RequestHandler {
  return (req, res, next) => {
    req.id = toRequestId(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', req.id);
    const startedAt = performance.now();
    res.once('close', () => {
      const isFailed = res.statusCode >= 500;
      const level = isFailed ? 'warn' : 'debug';
      if (!log.isLevelEnabled(level)) return;
      const line = {
        reqId: req.id,
        req: { method: req.method, path: pathOf(req.originalUrl) },
        res: { status: res.statusCode },
        responseTime: Math.round(performance.now() - startedAt),
      };
      log[level](line, isFailed ? 'request failed' : 'request answered');
    });
    next();
  };
}
