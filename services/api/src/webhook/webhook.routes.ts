import express, { Router } from 'express';
import { receiveEvent } from './webhook.service.ts';
import type { WebhookDeps } from './webhook.service.ts';

/** Stripe calls us. Next: `webhook.service.ts`. Mounted before any JSON parser: the signature is over the exact bytes. */
export function webhookRoutes(deps: WebhookDeps): Router {
  const router = Router();
  router.post('/', express.raw({ type: 'application/json', limit: '1mb' }), async (req, res) => {
    const outcome = await receiveEvent(deps, req.body, req.get('Stripe-Signature'));
    deps.onStripeEvent?.(outcome);
    res.json({ received: true, outcome });
  });
  return router;
}
