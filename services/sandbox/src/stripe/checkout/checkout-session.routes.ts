import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import { sessionParameters } from './checkout-session.schema.ts';
import { createCheckout, expireCheckout, getCheckout } from './checkout-session.service.ts';
import type { CheckoutDeps } from './checkout-session.store.ts';

export function checkoutSessionEndpoints(deps: CheckoutDeps): Endpoint[] {
  return [
    endpoint(
      'post',
      '/checkout/sessions',
      sessionParameters,
      (params) => createCheckout(deps, params).session,
    ),

    list('/checkout/sessions', {
      newestFirst: () => deps.store.checkouts.newestFirst().map(({ session }) => session),
    }),
    retrieve('/checkout/sessions', { get: (id) => getCheckout(deps, id).session }),

    endpoint('post', '/checkout/sessions/:id/expire', {}, (_params, id) => {
      const record = getCheckout(deps, id);
      expireCheckout(deps, record);
      return record.session;
    }),
  ];
}
