import { z } from 'zod';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, hasValues, list, retrieve } from '../wire/endpoint.ts';
import { emptyable, flag, integer, metadata, oneOf, text } from '../wire/parameters.ts';
import type { BillingDeps } from './billing.store.ts';
import {
  cancelSubscription,
  createSubscription,
  updateSubscription,
} from './subscription.service.ts';
import { isOver } from './subscription.ts';

const cancellationDetails = z
  .strictObject({
    feedback: emptyable(
      oneOf([
        'customer_service',
        'low_quality',
        'missing_features',
        'other',
        'switched_service',
        'too_complex',
        'too_expensive',
        'unused',
      ]),
    ),
  })
  .optional();

const createParameters = {
  customer: text(),
  items: z
    .array(z.strictObject({ price: text() }))
    .min(1)
    .max(20),
  default_payment_method: text(),
  metadata,
};
export type CreateParameters = z.output<z.ZodObject<typeof createParameters>>;

const updateParameters = {
  items: z
    .array(z.strictObject({ id: text(), price: text() }))
    .max(20)
    .optional(),
  discounts: emptyable(z.array(z.strictObject({ coupon: text() }))),
  cancel_at_period_end: flag.optional(),
  cancel_at: emptyable(integer(0)),
  cancellation_details: cancellationDetails,
  default_payment_method: text().optional(),
  metadata,
  pause_collection: emptyable(z.strictObject({ behavior: oneOf(['void']) })),
};
export type UpdateParameters = z.output<z.ZodObject<typeof updateParameters>>;

export function subscriptionEndpoints(deps: BillingDeps): Endpoint[] {
  const { subscriptions } = deps.store;
  return [
    endpoint('post', '/subscriptions', createParameters, (params) =>
      createSubscription(deps, params),
    ),
    list(
      '/subscriptions',
      subscriptions,
      { customer: text().optional(), status: z.literal('all').optional() },
      (subscription, { customer, status }) =>
        hasValues(subscription, { customer }) && (status === 'all' || !isOver(subscription)),
    ),
    retrieve('/subscriptions', subscriptions),
    endpoint('post', '/subscriptions/:id', updateParameters, (params, id) =>
      updateSubscription(deps, subscriptions.get(id), params),
    ),
    endpoint(
      'delete',
      '/subscriptions/:id',
      { cancellation_details: cancellationDetails },
      (params, id) => cancelSubscription(deps, subscriptions.get(id), params.cancellation_details),
    ),
  ];
}
