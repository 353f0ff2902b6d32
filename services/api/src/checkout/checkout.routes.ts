import type { Request } from 'express';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { startCheckout } from './checkout.service.ts';
import type { CheckoutDeps } from './checkout.service.ts';
import { createPriceBook } from './prices.ts';
import { grantReceipt } from './receipt-cookie.ts';

/** Sends visitors to Stripe's payment page. Next: `checkout.service.ts`. */
export function checkoutRoutes(routeDeps: CheckoutDeps & { newId: () => string }): Route[] {
  const deps = { ...routeDeps, prices: createPriceBook(routeDeps) };
  return [
    route('POST /api/checkout/session', async ({ body: { email, leadId }, req, res }) => {
      const { id, url } = await startCheckout(deps, {
        email,
        leadId,
        plan: null,
        returnTo: '/' as const,
        ...toCaller(req),
      });
      grantReceipt(deps.settings, req, res, { sessionId: id });
      return { url };
    }),
    route('POST /api/checkout/upsell', async ({ body: { plan, email }, req, res }) => {
      // Two visitors without an email may look alike, and must not share a payment page.
      const alone = email === undefined && !req.get('Idempotency-Key') && { caller: deps.newId() };
      const order = {
        email,
        leadId: undefined,
        plan,
        returnTo: '/sample-sent' as const,
        ...toCaller(req),
        ...alone,
      };
      const { id, url } = await startCheckout(deps, order);
      grantReceipt(deps.settings, req, res, { sessionId: id });
      return { url };
    }),
  ];
}

/**
 * Identifies a caller: a payment page shows its visitor's name, so somebody who merely knows the
 * email gets a page of their own.
 */
function toCaller(req: Request) {
  return {
    ip: req.ip,
    caller: JSON.stringify([req.ip, req.get('User-Agent'), req.get('Idempotency-Key')]),
  };
}
