import { z } from 'zod';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, hasValues, list, retrieve } from '../wire/endpoint.ts';
import { text } from '../wire/parameters.ts';
import type { BillingDeps } from './billing.store.ts';
import { cancellationDetails, createParameters, updateParameters } from './subscription.schema.ts';
import {
  cancelSubscription,
  createSubscription,
  updateSubscription,
} from './subscription.service.ts';
import { isOver } from './subscription.ts';

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
