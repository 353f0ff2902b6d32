import {
  cancelAnswer,
  cancelBody,
  complimentaryAnswer,
  complimentaryBody,
  complimentaryList,
  deliveryAddressAnswer,
  deliveryAddressBody,
  leadSubscription,
  refundAnswer,
  refundBody,
  refundPreview,
} from '@site/schema/money';
import type { Request } from 'express';
import { z } from 'zod';
import type { AppDeps } from '../../app-deps.ts';
import { idempotencyHeader } from '../../http/idempotency-header.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { listComplimentary } from '../../subscriptions/complimentary.repository.ts';
import { listSubscriptions } from '../leads/lead-money.repository.ts';
import { operatorOf } from '../operators/operator-session.ts';
import { changeSubscriptionAddress } from './subscription-address.service.ts';
import type { AddressDeps } from './subscription-address.service.ts';
import { cancel } from './cancel.service.ts';
import { giveComplimentary } from './complimentary.service.ts';
import { previewRefund, refund } from './refund.service.ts';
import type { Asked, StripeDeps } from './refund.service.ts';

const params = z.object({
  id: z
    .string()
    .regex(/^sub_[\w-]{1,200}$/)
    .describe('The subscription’s id at Stripe'),
});

/** What an operator changes about one subscription. */
export function subscriptionRoutes(deps: AddressDeps & StripeDeps & Pick<AppDeps, 'settings'>): Route[] {
  return [
    route({
      call: 'GET /api/admin/subscriptions/:id',
      id: 'readSubscription',
      summary: 'One subscription as it is stored',
      params,
      answers: { 200: { description: 'The subscription', schema: leadSubscription } },
      problems: ['not-found'],
      async handle({ params: { id }, res }) {
        const { secretKey } = deps.settings.stripe;
        const [found] = await listSubscriptions(deps.db, secretKey, { stripeSubscriptionId: id });
        if (!found) throw problem('not-found', { detail: 'There is no such subscription, or its payer was erased.' });
        res.json(found);
      },
    }),
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
    route({
      call: 'GET /api/admin/subscriptions/:id/refund',
      id: 'previewRefund',
      summary: 'What of the latest paid invoice can be refunded',
      params,
      answers: { 200: { description: 'Amounts in pence', schema: refundPreview } },
      problems: ['not-found', 'nothing-to-refund', 'stripe-refused', 'stripe-unavailable'],
      async handle({ params: { id }, res }) {
        res.json(await previewRefund(deps, id));
      },
    }),
    route({
      call: 'POST /api/admin/subscriptions/:id/refund',
      id: 'refund',
      summary: 'Refund the latest paid invoice, whole or in part',
      description: 'Ends nothing: cancelling is a separate call.',
      headers: idempotencyHeader,
      params,
      body: refundBody,
      answers: { 200: { description: 'The refund', schema: refundAnswer } },
      problems: [
        'not-found',
        'nothing-to-refund',
        'payment-disputed',
        'key-reused',
        'stripe-refused',
        'stripe-unavailable',
      ],
      async handle({ params: { id }, body, req, res }) {
        res.json(await refund(deps, toAsked(req), id, body.amountPence));
      },
    }),
    route({
      call: 'POST /api/admin/subscriptions/:id/cancel',
      id: 'cancelSubscription',
      summary: 'Cancel a subscription, now or at the end of the paid period',
      description: 'Refunds nothing.',
      headers: idempotencyHeader,
      params,
      body: cancelBody,
      answers: { 200: { description: 'The subscription as it is now', schema: cancelAnswer } },
      problems: ['not-found', 'subscription-over', 'key-reused', 'stripe-refused', 'stripe-unavailable'],
      async handle({ params: { id }, body, req, res }) {
        res.json(await cancel(deps, toAsked(req), id, body.when));
      },
    }),
    route({
      call: 'GET /api/admin/people/complimentary',
      id: 'listComplimentaryAccess',
      summary: 'Who has or had the paid issue without payment',
      answers: { 200: { description: 'The latest end first, at most 100', schema: complimentaryList } },
      async handle({ res }) {
        res.json({ access: await listComplimentary(deps.db) });
      },
    }),
    route({
      call: 'POST /api/admin/people/complimentary',
      id: 'giveComplimentaryAccess',
      summary: 'Give an address the paid issue without payment, until a date',
      description: 'Counts as paid until then. A later call replaces the date; one that has passed ends it.',
      headers: idempotencyHeader,
      body: complimentaryBody,
      answers: { 200: { description: 'Until when', schema: complimentaryAnswer } },
      problems: ['key-reused'],
      async handle({ body, req, res }) {
        res.json(await giveComplimentary(deps, toAsked(req), body));
      },
    }),
  ];
}

const toAsked = (req: Request): Asked => ({
  operator: operatorOf(req),
  key: req.get('Idempotency-Key')?.slice(0, 200) || undefined,
});
