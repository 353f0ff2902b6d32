import type { Logger } from '@site/platform/process/logger';
import type { Request, RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import { pinoHttp } from 'pino-http';

/** Accepts a caller's request id only if it is plain, because it goes into a header and every log line. */
function toRequestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/** A checkout's id opens its receipt, so it is left out. */
const pathOf = (url: string | undefined) =>
  (url ?? '').split('?', 1)[0]?.replace(/^(\/api\/checkout\/session\/).+/, '$1:id');

/**
 * Gives each request an id (in header, body and log) and one log line with the path only: a query may hold personal
 * data.
 */
export function requestContext(log: Logger): RequestHandler {
  return pinoHttp<Parameters<RequestHandler>[0], Parameters<RequestHandler>[1]>({
    logger: log,
    quietReqLogger: true,
    genReqId: (req, res) => {
      const id = toRequestId(req.headers['x-request-id']);
      res.setHeader('X-Request-Id', id);
      return id;
    },
    // Otherwise every request's logger would write errors whole, and a database error quotes its row.
    wrapSerializers: false,
    serializers: {
      req: (req: Request) => ({ method: req.method, path: pathOf(req.originalUrl) }),
      res: (res: { statusCode: number }) => ({ status: res.statusCode }),
    },
    customLogLevel: (_req, res, err) => (err || res.statusCode >= 500 ? 'warn' : 'debug'),
    customSuccessMessage: () => 'request answered',
    customErrorMessage: () => 'request failed',
    customErrorObject: (_req, _res, _err, value: object) => ({ ...value, err: undefined }),
  });
}
