import type { Request, Response } from 'express';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { startCheckout } from './checkout.service.ts';
import type { CheckoutDeps, CheckoutRequest } from './checkout.service.ts';
import { createPriceBook } from './prices.ts';
import { grantReceipt } from './receipt-cookie.ts';

/** Sends visitors to Stripe's payment page. Next: `checkout.service.ts`. */
export function checkoutRoutes(routeDeps: CheckoutDeps & { newId: () => string }): Route[] {
  const deps = { ...routeDeps, prices: createPriceBook(routeDeps) };
  const open = async (
    order: Omit<CheckoutRequest, 'ip' | 'caller'>,
    req: Request,
    res: Response,
  ) => {
    // Two visitors without an email may look alike, and must not share a payment page.
    const isAlone = order.email === undefined && !req.get('Idempotency-Key');
    const caller = isAlone ? deps.newId() : toCaller(req);
    const { id, url } = await startCheckout(deps, { ...order, ip: req.ip, caller });
    grantReceipt(deps.settings, req, res, { sessionId: id });
    return { url };
  };
  return [
    route('POST /api/checkout/session', ({ body: { email, leadId }, req, res }) =>
      open({ email, leadId, plan: null, returnTo: '/' }, req, res),
    ),
    route('POST /api/checkout/upsell', ({ body: { plan, email }, req, res }) =>
      open({ email, leadId: undefined, plan, returnTo: '/sample-sent' }, req, res),
    ),
  ];
}

/**
 * Identifies a caller: a payment page shows its visitor's name, so somebody who merely knows the
 * email gets a page of their own.
 */
const toCaller = (req: Request) =>
  JSON.stringify([req.ip, req.get('User-Agent'), req.get('Idempotency-Key')]);
