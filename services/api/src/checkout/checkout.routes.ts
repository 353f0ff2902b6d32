import { checkoutSessionBody, checkoutStateAnswer, checkoutUpsellBody, checkoutUrlAnswer } from '@site/schema/checkout';
import type { Request } from 'express';
import { z } from 'zod';
import { idempotencyHeader } from '../http/idempotency-header.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { SubscriptionDeps } from '../subscriptions/subscription.service.ts';
import { readCheckoutState } from './checkout-state.service.ts';
import { startCheckout } from './checkout.service.ts';
import type { CheckoutDeps } from './checkout.service.ts';
import { createPriceBook } from './prices.ts';
import { grantReceipt, maySeeReceipt } from './receipt-cookie.ts';

const opened = {
  answers: { 200: { description: 'The address of Stripe’s payment page', schema: checkoutUrlAnswer } },
  problems: ['already-subscribed', 'too-many-requests', 'stripe-unavailable'],
} as const;

/** Sends visitors to Stripe's payment page and tells them what became of it. Next: `checkout.service.ts`, `checkout-state.service.ts`. */
export function checkoutRoutes(routeDeps: CheckoutDeps & SubscriptionDeps): Route[] {
  const deps = { ...routeDeps, prices: createPriceBook(routeDeps) };
  return [
    route({
      call: 'POST /api/checkout/session',
      id: 'openCheckout',
      summary: 'Open a checkout',
      isPublic: true,
      headers: idempotencyHeader,
      body: checkoutSessionBody,
      ...opened,
      async handle({ body: { email, leadId }, req, res }) {
        const { id, url } = await startCheckout(deps, { email, leadId, plan: null, caller: toCaller(req) });
        grantReceipt(deps.settings, req, res, id);
        res.json({ url });
      },
    }),
    route({
      call: 'POST /api/checkout/upsell',
      id: 'openUpsell',
      summary: 'Open a discounted checkout',
      description: 'An invalid address is ignored: it comes from the browser’s storage.',
      isPublic: true,
      headers: idempotencyHeader,
      body: checkoutUpsellBody,
      ...opened,
      async handle({ body: { plan, email }, req, res }) {
        // Two visitors without an address may look alike, and must not share a payment page.
        const caller = email === undefined && !req.get('Idempotency-Key') ? deps.newId() : toCaller(req);
        const { id, url } = await startCheckout(deps, { email, leadId: undefined, plan, caller });
        grantReceipt(deps.settings, req, res, id);
        res.json({ url });
      },
    }),
    route({
      call: 'GET /api/checkout/session/:id',
      id: 'readCheckout',
      summary: 'What became of a checkout',
      description:
        'Only the browser that opened the checkout sees name and address in full, for a day. Everybody else gets them masked.',
      isPublic: true,
      params: z.object({ id: z.string().describe('The checkout session’s id at Stripe') }),
      answers: {
        200: { description: 'Confirmed with its receipt, or still processing', schema: checkoutStateAnswer },
        404: { description: 'No such checkout, or an expired one', schema: checkoutStateAnswer },
      },
      problems: ['too-many-requests', 'stripe-unavailable'],
      async handle({ params, req, res }) {
        const answer = await readCheckoutState(deps, params.id, maySeeReceipt(deps.settings, req, params.id));
        res.status(answer.state === 'not-found' ? 404 : 200).json(answer);
      },
    }),
  ];
}

/** A payment page shows its visitor's name, so somebody who merely knows the address gets a page of their own. */
function toCaller(req: Request): string {
  return JSON.stringify([req.ip, req.get('User-Agent'), req.get('Idempotency-Key')]);
}
