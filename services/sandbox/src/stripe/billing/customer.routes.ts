import { z } from 'zod';
import { assignGiven } from '../wire/assign-given.ts';
import { changedValues } from '../wire/changed-values.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import {
  acceptedAll,
  emailAddress,
  emptyable,
  integer,
  mergeMetadata,
  metadata,
} from '../wire/parameters.ts';
import type { BillingDeps } from './billing.store.ts';
import { buildCustomer } from './customer.store.ts';
import { endSubscription } from './subscription.service.ts';

const UNUSED = [
  'address',
  'business_name',
  'cash_balance',
  'individual_name',
  'invoice_prefix',
  'invoice_settings',
  'next_invoice_sequence',
  'preferred_locales',
  'shipping',
  'tax',
  'tax_exempt',
] as const;

const OWN = {
  email: emailAddress.optional(),
  name: emptyable(z.string().max(256)),
  phone: emptyable(z.string().max(40)),
  description: emptyable(z.string().max(5_000)),
  metadata,
  balance: integer().optional(),
  ...acceptedAll(...UNUSED),
};

export function customerEndpoints(deps: BillingDeps): Endpoint[] {
  const { store, clock } = deps;
  return [
    endpoint(
      'post',
      '/customers',
      OWN,
      ({ email, name, phone, description, balance, metadata: pairs }) => {
        const customer = buildCustomer(clock, { email: email ?? null, name: name ?? null });
        assignGiven(customer, { phone, description, balance, metadata: mergeMetadata({}, pairs) });
        return store.customers.insert(customer);
      },
    ),

    list('/customers', store.customers),
    retrieve('/customers', store.customers),

    // Ends the customer's subscriptions at once. Stripe still shows a deleted customer by id, without its facts.
    endpoint('delete', '/customers/:id', {}, (_params, id) => {
      store.customers.get(id);
      for (const subscription of store.subscriptions.snapshot()) {
        const isOver =
          subscription.status === 'canceled' || subscription.status === 'incomplete_expired';
        if (subscription.customer === id && !isOver)
          endSubscription(deps, subscription, 'cancellation_requested');
      }
      store.customers.remove(id);
      return { id, object: 'customer', deleted: true };
    }),

    endpoint('post', '/customers/:id', OWN, ({ metadata: pairs, ...params }, id) => {
      const customer = store.customers.get(id);
      const before = structuredClone(customer);
      const { email, name, phone, description, balance } = params;
      const merged = mergeMetadata(customer.metadata, pairs);
      assignGiven(customer, { email, name, phone, description, balance, metadata: merged });
      const previous = changedValues(before, customer);
      if (Object.keys(previous).length > 0) deps.emit('customer.updated', customer, previous);
      return customer;
    }),
  ];
}
