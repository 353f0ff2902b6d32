import { sessionParameters } from './checkout-session.schema.ts';
import { createCheckout, expireCheckout, expireDueCheckouts } from './checkout-session.service.ts';
import type { CheckoutRecord } from './checkout-session.store.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { missing } from '../wire/stripe-fault.ts';
import type { StripeDeps } from '../stripe.store.ts';

export function checkoutSessionEndpoints(deps: StripeDeps): Endpoint[] {
  const { store } = deps;
  const find = (id: string): CheckoutRecord => {
    expireDueCheckouts(deps);
    const record = store.checkouts.find(id);
    if (!record) throw missing('checkout.session', id);
    return record;
  };

  return [
    endpoint('post', '/checkout/sessions', sessionParameters, (params) => createCheckout(deps, params).session),

    endpoint('get', '/checkout/sessions/:id', {}, (_params, path) => find(path['id'] ?? '').session),

    endpoint('post', '/checkout/sessions/:id/expire', {}, (_params, path) => {
      const record = find(path['id'] ?? '');
      expireCheckout(deps, record);
      return record.session;
    }),
  ];
}
