import { deliveryAddressAnswer, deliveryAddressBody } from '@site/schema/money';
import { z } from 'zod';
import { idempotencyHeader } from '../../http/idempotency-header.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { changeSubscriptionAddress } from './subscription-address.service.ts';
import type { AddressDeps } from './subscription-address.service.ts';

const params = z.object({
  id: z
    .string()
    .regex(/^sub_[\w-]{1,200}$/)
    .describe('The subscription’s id at Stripe'),
});

/** What an operator changes about one subscription. */
export function subscriptionRoutes(deps: AddressDeps): Route[] {
  return [
    route({
      call: 'POST /api/admin/subscriptions/:id/delivery-address',
      id: 'changeDeliveryAddress',
      summary: 'Change who gets the paid issue, or correct the payer’s mistyped address',
      description:
        'The tier moves to the delivery address. With `correctsPayer` the customer’s address at Stripe changes too, and Beehiiv unsubscribes the mistyped one.',
      headers: idempotencyHeader,
      params,
      body: deliveryAddressBody,
      answers: {
        200: { description: 'Both addresses, and what Beehiiv is asked to do', schema: deliveryAddressAnswer },
      },
      problems: ['not-found', 'already-subscribed', 'already-corrected', 'stripe-unavailable'],
      async handle({ params: { id }, body, req, res }) {
        res.json(await changeSubscriptionAddress(deps, operatorOf(req), id, body));
      },
    }),
  ];
}
