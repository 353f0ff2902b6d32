import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { pageParameters, toPage } from '../wire/list.ts';
import { acceptedAll, isInRange, oneOf, range, text } from '../wire/parameters.ts';
import { missing } from '../wire/stripe-fault.ts';
import type { StripeDeps } from '../stripe.store.ts';
import { cancelParameters, updateParameters } from './subscription.schema.ts';
import { cancelSubscription, updateSubscription } from './subscription.service.ts';
import { SUBSCRIPTION_STATUSES } from './subscription.store.ts';
import type { Subscription } from './subscription.store.ts';

const LISTED_STATUSES = [...SUBSCRIPTION_STATUSES, 'all', 'ended'] as const;

export function subscriptionEndpoints(deps: StripeDeps): Endpoint[] {
  const { store } = deps;
  const find = (id: string): Subscription => {
    const subscription = store.subscriptions.find(id);
    if (!subscription) throw missing('subscription', id);
    return subscription;
  };

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
        const { customer, price, status } = params;
        const subscriptions = store.subscriptions
          .newestFirst()
          .filter((subscription) => hasStatus(subscription, status))
          .filter((subscription) => customer === undefined || subscription.customer === customer)
          .filter(({ items }) => price === undefined || items.data.some((item) => item.price.id === price))
          .filter(({ items }) => isInRange(items.data[0]?.current_period_end ?? 0, params.current_period_end))
          .filter(({ items }) => isInRange(items.data[0]?.current_period_start ?? 0, params.current_period_start))
          .filter((subscription) => isInRange(subscription.created, params.created));
        return toPage('/v1/subscriptions', subscriptions, params);
      },
    ),

    endpoint('get', '/subscriptions/:id', {}, (_params, path) => find(path['id'] ?? '')),

    endpoint('post', '/subscriptions/:id', updateParameters, (params, path) => {
      const subscription = find(path['id'] ?? '');
      updateSubscription(deps, subscription, params);
      return subscription;
    }),

    endpoint('delete', '/subscriptions/:id', cancelParameters, (params, path) => {
      const subscription = find(path['id'] ?? '');
      cancelSubscription(deps, subscription, params.cancellation_details);
      return subscription;
    }),
  ];
}

function hasStatus(subscription: Subscription, wanted: (typeof LISTED_STATUSES)[number] | undefined): boolean {
  if (wanted === 'all') return true;
  const hasEnded = subscription.status === 'canceled' || subscription.status === 'incomplete_expired';
  if (wanted === 'ended') return hasEnded;
  return wanted === undefined ? !hasEnded : subscription.status === wanted;
}
