import { Router } from 'express';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import express from 'express';
import { faultGate, waitIfSlow } from '../traffic/fault-gate.ts';
import type { Faults } from '../traffic/faults.ts';
import { logRequests } from '../traffic/log-requests.ts';
import type { RequestLog } from '../traffic/request-log.ts';
import { customerEndpoints } from './billing/customer.routes.ts';
import { invoiceEndpoints } from './billing/invoice.service.ts';
import { paymentEndpoints } from './billing/payment.routes.ts';
import { portalEndpoints } from './billing/portal-configuration.routes.ts';
import { subscriptionEndpoints } from './billing/subscription.routes.ts';
import { catalogEndpoints } from './catalog.ts';
import { checkoutSessionEndpoints } from './checkout/checkout-session.service.ts';
import { API_VERSION, eventEndpoints, runUnderKey } from './events.ts';
import type { StripeDeps } from './stripe.store.ts';
import type { Endpoint } from './wire/endpoint.ts';
import { embeddedList } from './wire/endpoint.ts';
import { expandAnswer } from './wire/expand.ts';
import { newId, randomText } from './wire/objects.ts';
import { parseForm } from './wire/parameters.ts';
import { readWithheld, refuseParts, refuseWithheld } from './wire/restricted-key.ts';
import { edgeFault, invalidRequest, StripeFault } from './wire/stripe-fault.ts';

const MAX_BODY = '1mb';

export type StripeRoutesDeps = StripeDeps & {
  credentials: { stripeSecretKey: string };
  faults: Faults;
  requests: RequestLog;
};

/**
 * Serves Stripe's API at `/v1`. Before: sandbox-app.ts. Next: an endpoint of catalog, checkout,
 * billing or events. wire/parameters.ts checks their parameters.
 */
export function stripeRoutes(deps: StripeRoutesDeps): Router {
  const router = Router({ caseSensitive: true });
  const endpoints = [
    ...catalogEndpoints(deps),
    ...customerEndpoints(deps),
    ...checkoutSessionEndpoints(deps),
    ...subscriptionEndpoints(deps),
    ...invoiceEndpoints(deps),
    ...paymentEndpoints(deps),
    ...portalEndpoints(deps),
    ...eventEndpoints(deps),
  ];

  router.use(logRequests(deps.requests, 'stripe'));
  router.use(setHeaders);
  router.use(express.text({ limit: MAX_BODY, type: () => true }));
  router.use(
    faultGate(deps.faults, 'stripe', (res, fault) => failAtTheEdge(deps, res, fault.status)),
  );
  router.use(requireKey(deps.credentials.stripeSecretKey), requireVersion);
  for (const { method, path, prepare } of endpoints)
    router[method](path, answerWith(deps, prepare));
  router.use((req) => {
    throw new StripeFault(
      404,
      `Unrecognized request URL (${req.method}: ${req.baseUrl}${req.path}).`,
      {
        type: 'invalid_request_error',
      },
    );
  });
  router.use(answerFault);
  return router;
}

/** Answers a call. A repeat of its idempotency key gets the first answer again. */
function answerWith({ store, touched }: StripeDeps, prepare: Endpoint['prepare']): RequestHandler {
  return async (req, res) => {
    const { repeatKey, ...call } = readCall(req);
    if (repeatKey !== undefined && isReplayed(store, res, repeatKey, call)) return;
    try {
      await waitIfSlow(res);
      const { expand, run } = prepare(call.params, String(req.params['id'] ?? ''));
      if (res.locals['withheld']) refuseParts(String(res.locals['withheld']), expand);
      const result = runUnderKey(repeatKey, run);
      if (req.method !== 'GET') touched();
      const answer = expandAnswer(result, expand, findPart, includePart);
      if (repeatKey !== undefined) store.answers.end(repeatKey, call, 200, answer);
      res.json(answer);
    } finally {
      if (repeatKey !== undefined) store.answers.release(repeatKey);
    }
  };

  function findPart(id: string, within: object[]): object | undefined {
    const discount = within.find((each) => 'object' in each && each.object === 'discount');
    const redeemed =
      discount && 'id' in discount
        ? store.redemptions.find(String(discount.id))?.coupon
        : undefined;
    const object = redeemed?.id === id ? redeemed : store.findAny(id);
    return (
      object ?? (id.startsWith('cus_') ? { id, object: 'customer', deleted: true } : undefined)
    );
  }

  function includePart(
    parent: Record<string, unknown>,
    name: string,
    within: object[],
  ): object | undefined {
    const portal = within.find(
      (each) => 'object' in each && each.object === 'billing_portal.configuration',
    );
    if (portal && name === 'products' && 'id' in portal)
      return store.portals.find(String(portal.id))?.products;
    if (parent['object'] !== 'checkout.session' || name !== 'line_items') return undefined;
    const record = store.checkouts.find(String(parent['id']));
    return (
      record && embeddedList(`/v1/checkout/sessions/${record.id}/line_items`, record.lineItems)
    );
  }
}

type Call = { method: string; path: string; params: Record<string, unknown> };

function readCall(req: Request): Call & { repeatKey: string | undefined } {
  const query = parseForm(req.originalUrl.split('?')[1] ?? '');
  const body = parseForm(typeof req.body === 'string' ? req.body : '');
  if (req.method === 'POST' && Object.keys(query).length > 0) {
    throw invalidRequest('Parameters of a POST must be in the body, not in the query.');
  }
  const repeatKey = req.method === 'POST' ? req.get('idempotency-key') : undefined;
  return {
    method: req.method,
    path: req.baseUrl + req.path,
    params: { ...query, ...body },
    repeatKey,
  };
}

/**
 * Repeats the earlier answer and returns true, or reserves the key for this call and returns false.
 */
function isReplayed(
  store: StripeDeps['store'],
  res: Response,
  repeatKey: string,
  call: Call,
): boolean {
  res.setHeader('idempotency-key', repeatKey);
  const earlier = store.answers.begin(repeatKey, call);
  if (!earlier) return false;
  res.setHeader('idempotent-replayed', 'true');
  res.status(earlier.status).json(earlier.body);
  return true;
}

/**
 * Fails a call with a status. A 500 means that the call had begun, so it is kept under the
 * idempotency key.
 */
function failAtTheEdge({ store }: StripeDeps, res: Response, status: number): void {
  const fault = edgeFault(status);
  const { repeatKey, ...call } = readCall(res.req);
  if (status === 500 && repeatKey !== undefined) {
    if (isReplayed(store, res, repeatKey, call)) return;
    store.answers.end(repeatKey, call, status, toErrorBody(res, fault));
  }
  sendFault(res, fault);
}

const setHeaders: RequestHandler = (req, res, next) => {
  res.setHeader('request-id', newId('req', 14));
  res.setHeader('stripe-version', req.headers['stripe-version'] ?? API_VERSION);
  res.setHeader('cache-control', 'no-cache, no-store');
  next();
};

function requireKey(key: string): RequestHandler {
  return (req, res, next) => {
    const given = readKey(req.headers.authorization);
    const withheld = readWithheld(given, key);
    if (withheld !== null) {
      refuseWithheld(withheld, req.method, req.path);
      res.locals['withheld'] = withheld;
    }
    if (given === key || withheld !== null) {
      next();
      return;
    }
    res.setHeader('www-authenticate', 'Basic realm="Stripe"');
    const message =
      given === null
        ? 'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.'
        : `Invalid API Key provided: ${given.slice(0, 8)}${'*'.repeat(8)}`;
    throw new StripeFault(401, message, { type: 'invalid_request_error' });
  };
}

/**
 * Reads the key from a bearer token or, as curl's `-u` sends it, from the basic authentication user
 * name.
 */
function readKey(header: string | undefined): string | null {
  const [scheme = '', value = ''] = (header ?? '').split(' ');
  if (value === '') return null;
  if (scheme.toLowerCase() === 'bearer') return value;
  return scheme.toLowerCase() === 'basic'
    ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '')
    : null;
}

const requireVersion: RequestHandler = (req, _res, next) => {
  const asked = req.headers['stripe-version'];
  if (asked !== undefined && asked !== API_VERSION) {
    throw invalidRequest(
      `Invalid Stripe API version: ${String(asked)}. The sandbox accepts ${API_VERSION} only.`,
    );
  }
  next();
};

function sendFault(res: Response, fault: StripeFault): void {
  res.status(fault.status).json(toErrorBody(res, fault));
}

function toErrorBody(res: Response, fault: StripeFault): object {
  const { type, code, decline_code: declineCode, param } = fault.body;
  return {
    error: {
      ...(code !== undefined && {
        code,
        doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
      }),
      ...(declineCode !== undefined && { decline_code: declineCode }),
      message: fault.message,
      ...(param !== undefined && { param }),
      request_log_url: `https://dashboard.stripe.com/test/logs/${String(res.getHeader('request-id') ?? randomText(14))}`,
      type,
    },
  };
}

const answerFault: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  if (error instanceof StripeFault) sendFault(res, error);
  else if (error instanceof Error && 'status' in error && error.status === 413) {
    sendFault(res, invalidRequest('The request body is too large.'));
  } else next(error);
};
