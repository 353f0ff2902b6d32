import { checkoutSessionBody, checkoutUpsellBody } from '@site/schema/checkout';
import type { CheckoutUrlAnswer } from '@site/schema/checkout';
import { Router } from 'express';
import type { Request } from 'express';
import { parseBody } from '../http/validate.ts';
import type { SubscriptionDeps } from '../subscriptions/subscription.service.ts';
import { readCheckoutState } from './checkout-state.service.ts';
import { startCheckout } from './checkout.service.ts';
import type { CheckoutDeps } from './checkout.service.ts';
import { createPriceBook } from './prices.ts';

/** The way to Stripe's page and back. Next: `checkout.service.ts`, `checkout-state.service.ts`. */
export function checkoutRoutes(routeDeps: CheckoutDeps & SubscriptionDeps): Router {
  const deps = { ...routeDeps, prices: createPriceBook(routeDeps) };
  const router = Router();

  router.post('/session', async (req, res) => {
    const { email, leadId } = parseBody(checkoutSessionBody, req);
    const url = await startCheckout(deps, { email, leadId, plan: null, caller: toCaller(req) });
    res.json({ url } satisfies CheckoutUrlAnswer);
  });

  router.post('/upsell', async (req, res) => {
    const { plan, email } = parseBody(checkoutUpsellBody, req);
    // Two visitors without an address may look alike, and must not share a payment page.
    const caller = email === undefined && !req.get('Idempotency-Key') ? deps.newId() : toCaller(req);
    const url = await startCheckout(deps, { email, leadId: undefined, plan, caller });
    res.json({ url } satisfies CheckoutUrlAnswer);
  });

  router.get('/session/:id', async (req, res) => {
    const answer = await readCheckoutState(deps, req.params.id);
    res.status(answer.state === 'not-found' ? 404 : 200).json(answer);
  });
  return router;
}

/** A page shows its visitor's name once paid for, so whoever merely knows the address gets a page of their own. */
function toCaller(req: Request): string {
  return JSON.stringify([req.ip, req.get('User-Agent'), req.get('Idempotency-Key')]);
}
