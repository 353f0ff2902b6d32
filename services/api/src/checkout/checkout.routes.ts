import type { Request, Response } from 'express';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { startCheckout } from './checkout.service.ts';
import type { CheckoutDeps, CheckoutRequest } from './checkout.service.ts';
import { createPriceBook } from './prices.ts';
import { grantReceipt } from './receipt-cookie.ts';

/** Opens a checkout for the visitor of a call, and returns the URL of Stripe's page. */
export type OpenCheckout = (
  order: Omit<CheckoutRequest, 'ip'>,
  req: Request,
  res: Response,
) => Promise<string>;

/** Creates the way to Stripe's page. The visitor's browser may then see the receipt. */
export function createCheckout(deps: CheckoutDeps): OpenCheckout {
  const prices = createPriceBook(deps);
  return async (order, req, res) => {
    const { id, url } = await startCheckout({ ...deps, prices }, { ...order, ip: req.ip });
    grantReceipt(deps.settings, req, res, { sessionId: id });
    return url;
  };
}

/** Sends visitors to Stripe's payment page. Next: `checkout.service.ts`. */
export function checkoutRoutes(open: OpenCheckout, newId: () => string): Route[] {
  return [
    route('POST /api/checkout/session', async ({ body: { email, leadId }, req, res }) => {
      const order = { email, leadId, plan: null, returnTo: '/', caller: toCaller(req) } as const;
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
 * Identifies a caller: a payment page shows its visitor's name, so somebody who merely knows the
 * email gets a page of their own.
 */
const toCaller = (req: Request) =>
  JSON.stringify([req.ip, req.get('User-Agent'), req.get('Idempotency-Key')]);
