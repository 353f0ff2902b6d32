import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { receiveEvent } from './inbox.service.ts';
import type { WebhookDeps } from './inbox.service.ts';

/** Receives Stripe's events. Next: `inbox.service.ts`. */
export function webhookRoutes(deps: WebhookDeps): Route[] {
  return [
    route('POST /api/stripe/webhook', async ({ req }) => {
      const outcome = await receiveEvent(deps, req.body, req.get('Stripe-Signature'));
      deps.onStripeEvent?.(outcome);
      return { received: true as const, outcome };
    }),
  ];
}
