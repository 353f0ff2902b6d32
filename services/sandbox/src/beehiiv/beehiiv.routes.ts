import express, { Router } from 'express';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { faultGate, waitIfSlow } from '../traffic/fault-gate.ts';
import type { Faults } from '../traffic/faults.ts';
import { logRequests } from '../traffic/log-requests.ts';
import type { RequestLog } from '../traffic/request-log.ts';
import { BeehiivFault, sendBeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore } from './beehiiv.store.ts';
import type { RateLimit } from './rate-limit.ts';
import { subscriptionRoutes } from './subscription.routes.ts';
import { pageQuery, parseRequest } from './subscription.schema.ts';
import { webhookRoutes } from './webhook.routes.ts';

const MAX_BODY = '1mb';
const FIELDS_PER_PAGE = 10;

export type BeehiivDeps = {
  store: BeehiivStore;
  rateLimit: RateLimit;
  credentials: { beehiivApiKey: string; beehiivPublicationId: string };
  faults: Faults;
  requests: RequestLog;
};

/** Serves Beehiiv's API at `/v2`. Before: sandbox-app.ts. Next: subscription.routes.ts. */
export function beehiivRoutes(deps: BeehiivDeps): Router {
  const { store, credentials, faults, requests, rateLimit } = deps;
  const router = Router({ caseSensitive: true });

  router.use(logRequests(requests, 'beehiiv'));
  router.use(rateLimit.middleware);
  router.use(
    faultGate(faults, 'beehiiv', (res, fault) => {
      if (fault.mode === 'rate-limit')
        rateLimit.refuse(res, Math.max(1, Math.ceil(fault.delayMs / 1_000)));
      else sendBeehiivFault(res, new BeehiivFault(fault.status));
    }),
  );
  router.use(requireKey(credentials.beehiivApiKey));
  router.use(requireJsonBody, express.json({ limit: MAX_BODY, strict: false, type: () => true }));
  router.use(async (_req, res, next) => {
    await waitIfSlow(res);
    next();
  });

  const publication = Router({ caseSensitive: true });
  publication.use('/subscriptions', subscriptionRoutes(store, rateLimit));
  publication.use('/webhooks', webhookRoutes(store));
  publication.get('/custom_fields', (req, res) => {
    const query = parseRequest(pageQuery, 'query', req.query);
    const { limit = FIELDS_PER_PAGE, page = 1 } = query;
    const fields = store.customFields();
    res.json({
      data: fields.slice((page - 1) * limit, page * limit),
      limit,
      page,
      total_results: fields.length,
      total_pages: Math.max(1, Math.ceil(fields.length / limit)),
    });
  });
  router.use(
    '/publications/:publicationId',
    (req, _res, next) => {
      if (req.params['publicationId'] !== credentials.beehiivPublicationId) {
        throw new BeehiivFault(404, toWrongPublicationText(String(req.params['publicationId'])));
      }
      next();
    },
    publication,
  );
  router.use(() => {
    throw new BeehiivFault(404, 'No such endpoint');
  });
  router.use(answerFault);
  return router;
}

function requireKey(key: string): RequestHandler {
  return (req, _res, next) => {
    if (req.headers.authorization !== `Bearer ${key}`) throw new BeehiivFault(401);
    next();
  };
}

const requireJsonBody: RequestHandler = (req, _res, next) => {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(req.method);
  if (hasBody && !req.is('application/json')) {
    throw new BeehiivFault(400, 'Content-Type must be application/json', 'INVALID_CONTENT_TYPE');
  }
  next();
};

function toWrongPublicationText(id: string): string {
  return /^pub_[0-9a-fA-F-]+$/.test(id)
    ? 'Publication not found'
    : 'Publication not found: an id is `pub_` followed by hexadecimal digits';
}

const answerFault: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (error instanceof BeehiivFault) sendBeehiivFault(res, error);
  else if (error instanceof URIError)
    sendBeehiivFault(res, new BeehiivFault(400, 'Malformed address', 'BAD_ENCODING'));
  else if (error instanceof SyntaxError)
    sendBeehiivFault(res, new BeehiivFault(400, 'Malformed JSON', 'MALFORMED_JSON'));
  else if (isHttpError(error))
    sendBeehiivFault(res, new BeehiivFault(error.status, error.message, 'BAD_REQUEST'));
  else next(error);
};

function isHttpError(error: unknown): error is Error & { status: number } {
  return (
    error instanceof Error &&
    'status' in error &&
    typeof error.status === 'number' &&
    error.status < 500
  );
}
