import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, retrieve } from '../wire/endpoint.ts';
import { isWanted, pageParameters, toPage } from '../wire/list.ts';
import { acceptedAll, isInRange, oneOf, range, text } from '../wire/parameters.ts';
import type { BillingDeps } from './billing.store.ts';
import { cancelParameters, createParameters, updateParameters } from './subscription.schema.ts';
import {
  cancelSubscription,
  createSubscription,
  updateSubscription,
} from './subscription.service.ts';
import type { Subscription } from './subscription.store.ts';
import { SUBSCRIPTION_STATUSES } from './subscription.store.ts';

const LISTED_STATUSES = [...SUBSCRIPTION_STATUSES, 'all', 'ended'] as const;

export function subscriptionEndpoints(deps: BillingDeps): Endpoint[] {
  const { subscriptions } = deps.store;
  return [
    endpoint(
      'get',
      '/subscriptions',
      {
        ...pageParameters,
        created: range,
        current_period_end: range,
        current_period_start: range,
        customer: text().optional(),
        price: text().optional(),
        status: oneOf(LISTED_STATUSES).optional(),
        ...acceptedAll('automatic_tax', 'collection_method', 'test_clock'),
      },
      (params) => {
        const found = subscriptions
          .newestFirst()
          .filter((subscription) => hasStatus(subscription, params.status))
          .filter(({ customer }) => isWanted(customer, params.customer))
          .filter(({ items }) => items.data.some(({ price }) => isWanted(price.id, params.price)))
          .filter(({ items }) =>
            isInRange(items.data[0]?.current_period_end ?? 0, params.current_period_end),
          )
          .filter(({ items }) =>
            isInRange(items.data[0]?.current_period_start ?? 0, params.current_period_start),
          )
          .filter(({ created }) => isInRange(created, params.created));
        return toPage('/v1/subscriptions', found, params);
      },
    ),

    endpoint('post', '/subscriptions', createParameters, (params) =>
      createSubscription(deps, params),
    ),

    retrieve('/subscriptions', subscriptions),

    endpoint('post', '/subscriptions/:id', updateParameters, (params, id) =>
      updateSubscription(deps, subscriptions.get(id), params),
    ),

    endpoint('delete', '/subscriptions/:id', cancelParameters, (params, id) =>
      cancelSubscription(deps, subscriptions.get(id), params.cancellation_details),
    ),
  ];
}

function hasStatus(
  subscription: Subscription,
  wanted: (typeof LISTED_STATUSES)[number] | undefined,
): boolean {
  if (wanted === 'all') return true;
  const hasEnded =
    subscription.status === 'canceled' || subscription.status === 'incomplete_expired';
  if (wanted === 'ended') return hasEnded;
  return wanted === undefined ? !hasEnded : subscription.status === wanted;
}
