import { z } from 'zod';
import { sessionParameters } from './checkout-session.schema.ts';
import { createCheckout, expireCheckout, expireDueCheckouts } from './checkout-session.service.ts';
import type { CheckoutRecord } from './checkout-session.store.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { pageParameters, toPage } from './list.ts';
import { acceptedAll, emailAddress, isInRange, mergeMetadata, metadata, oneOf, range, text } from './parameters.ts';
import { missing } from './stripe-fault.ts';
import type { StripeDeps } from './stripe.store.ts';

const STATUSES = ['complete', 'expired', 'open'] as const;

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

    endpoint(
      'get',
      '/checkout/sessions',
      {
        ...pageParameters,
        created: range,
        customer: text().optional(),
        customer_details: z.strictObject({ email: emailAddress }).optional(),
        payment_intent: text().optional(),
        status: oneOf(STATUSES).optional(),
        subscription: text().optional(),
        ...acceptedAll('payment_link'),
      },
      (params) => {
        expireDueCheckouts(deps);
        const email = params.customer_details?.email;
        const sessions = store.checkouts
          .newestFirst()
          .map(({ session }) => session)
          .filter((session) => params.customer === undefined || session.customer === params.customer)
          .filter((session) => email === undefined || session.customer_details?.email === email)
          .filter((session) => params.status === undefined || session.status === params.status)
          .filter((session) => params.subscription === undefined || session.subscription === params.subscription)
          .filter((session) => params.payment_intent === undefined && isInRange(session.created, params.created));
        return toPage('/v1/checkout/sessions', sessions, params);
      },
    ),

    endpoint('get', '/checkout/sessions/:id', {}, (_params, path) => find(path['id'] ?? '').session),

    endpoint('post', '/checkout/sessions/:id', { metadata }, (params, path) => {
      const { session } = find(path['id'] ?? '');
      session.metadata = mergeMetadata(session.metadata, params.metadata);
      return session;
    }),

    endpoint('get', '/checkout/sessions/:id/line_items', pageParameters, (params, path) => {
      const { id, lineItems } = find(path['id'] ?? '');
      return toPage(`/v1/checkout/sessions/${id}/line_items`, lineItems, params);
    }),

    endpoint('post', '/checkout/sessions/:id/expire', {}, (_params, path) => {
      const record = find(path['id'] ?? '');
      expireCheckout(deps, record);
      return record.session;
    }),
  ];
}
