import { z } from 'zod';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { receiveEvent } from './webhook.service.ts';
import type { WebhookDeps } from './webhook.service.ts';

const webhookAnswer = z.object({
  received: z.literal(true),
  outcome: z.enum(['applied', 'ignored', 'repeated', 'parked']),
});

/** Stripe delivers its events here. Next: `webhook.service.ts`. */
export function webhookRoutes(deps: WebhookDeps): Route[] {
  return [
    route({
      call: 'POST /api/stripe/webhook',
      id: 'receiveStripeEvent',
      summary: 'Receive an event from Stripe',
      description: 'Stripe signs the exact bytes. It delivers an event again after any answer but a 2xx.',
      isPublic: true,
      headers: z.object({
        'Stripe-Signature': z.string().optional().describe('Stripe’s signature, at most five minutes old'),
      }),
      body: 'raw',
      answers: { 200: { description: 'Received', schema: webhookAnswer } },
      problems: ['signature-invalid', 'body-too-large', 'stripe-unavailable'],
      async handle({ req, res }) {
        const outcome = await receiveEvent(deps, req.body, req.get('Stripe-Signature'));
        deps.onStripeEvent?.(outcome);
        res.json({ received: true, outcome });
      },
    }),
  ];
}
