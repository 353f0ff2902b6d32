import type { Request, Response, ErrorRequestHandler, RequestHandler } from 'express';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { startCheckout } from './checkout.service.ts';
import type { CheckoutDeps, CheckoutRequest } from './checkout.service.ts';
import { createPriceBook } from '../stripe/catalog.ts';
import { grantReceipt, readVisit } from './receipt-cookie.ts';
import { UPSELL_PLANS, withSampleSource } from '@site/schema/offer';
import { urlencoded } from 'express';
import { z } from 'zod';
import { fieldsProblem, toProblem } from '../http/problem.ts';

/** Opens a checkout for the visitor of a call, and returns the URL of Stripe's page. */
export type OpenCheckout = (
  order: Omit<CheckoutRequest, 'ip' | 'visitOf'>,
  req: Request,
  res: Response,
) => Promise<string>;

/**
 * Creates the function that opens Stripe's page. The visitor's browser may then see the receipt.
 */
export function createCheckout(deps: CheckoutDeps): OpenCheckout {
  const prices = createPriceBook(deps);
  return async (order, req, res) => {
    const visitOf = (id: string) => readVisit(deps.settings, req, id);
    const { id, url } = await startCheckout({ ...deps, prices }, { ...order, ip: req.ip, visitOf });
    grantReceipt(deps.settings, req, res, { sessionId: id });
    return url;
  };
}

/** Sends visitors to Stripe's payment page. Next: `checkout.service.ts`. */
export function checkoutRoutes(open: OpenCheckout, newId: () => string): Route[] {
  return [
    route('POST /api/checkout/session', async ({ body: { email, leadId }, req, res }) => {
      const order = {
        email,
        leadId,
        plan: 'monthly',
        returnTo: '/',
        caller: toCaller(req),
      } as const;
      return { url: await open(order, req, res) };
    }),
    route('POST /api/checkout/upsell', async ({ body: { plan, email }, req, res }) => {
      // Two visitors without an email may look alike, and must not share a payment page.
      const isAlone = email === undefined && !req.get('Idempotency-Key');
      const caller = isAlone ? newId() : toCaller(req);
      const order = { email, leadId: undefined, plan, returnTo: '/sample-sent', caller } as const;
      return { url: await open(order, req, res) };
    }),
  ];
}

/**
 * Identifies a caller. A payment page shows its visitor's name, so somebody who only knows the
 * email gets another page.
 */
const toCaller = (req: Request) =>
  JSON.stringify([req.ip, req.get('User-Agent'), req.get('Idempotency-Key')]);

const posted = z.object({ plan: z.enum(UPSELL_PLANS) });

/**
 * Serves the offers after a sample without JavaScript: a plain form, answered with a redirect.
 * Next: `checkout.service.ts`.
 */
export function upsellForm(
  openCheckout: OpenCheckout,
  newId: () => string,
): (RequestHandler | ErrorRequestHandler)[] {
  const open = async (req: Request, res: Response) => {
    const { data, error } = posted.safeParse(req.body ?? {});
    if (!data) throw fieldsProblem(error);
    // Visitors without an email may look alike, and must not share a payment page.
    const visitor = { email: undefined, leadId: undefined, caller: newId() };
    const url = await openCheckout({ ...visitor, ...data, returnTo: '/sample-sent' }, req, res);
    res.redirect(303, withSampleSource(url));
  };
  return [urlencoded({ extended: false, limit: '1kb' }), open, showFailure];
}

const showFailure: ErrorRequestHandler = (error, _req, res, next) => {
  const kind = toProblem(error)?.kind;
  const end = kind === 'too-many-requests' ? 'too-many' : kind === 'stripe-unavailable' && 'failed';
  if (!end) return next(error);
  res.redirect(303, `/sample-sent?checkout=${end}`);
};
