import { z } from 'zod';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import { assignGiven, changedValues } from '../wire/objects.ts';
import {
  emailAddress,
  emptyable,
  integer,
  mergeMetadata,
  metadata,
  text,
} from '../wire/parameters.ts';
import { missing } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import { buildCustomer, buildPaymentMethod } from './customer.ts';
import { endSubscription } from './subscription.service.ts';
import { isOver } from './subscription.ts';
import { TEST_METHODS } from './test-cards.ts';

const customerParameters = {
  email: emailAddress.optional(),
  name: emptyable(z.string().max(256)),
  metadata,
  balance: integer().optional(),
};

/** Customers and their payment methods. */
export function customerEndpoints(deps: BillingDeps): Endpoint[] {
  const { store, clock, emit } = deps;
  return [
    endpoint(
      'post',
      '/customers',
      customerParameters,
      ({ email = null, name = null, balance, metadata: pairs }) => {
        const customer = buildCustomer(clock, { email, name });
        assignGiven(customer, { balance, metadata: mergeMetadata({}, pairs) });
        return store.customers.insert(customer);
      },
    ),
    list('/customers', store.customers),
    retrieve('/customers', store.customers),
    endpoint('post', '/customers/:id', customerParameters, ({ metadata: pairs, ...params }, id) => {
      const customer = store.customers.get(id);
      const before = structuredClone(customer);
      assignGiven(customer, { ...params, metadata: mergeMetadata(customer.metadata, pairs) });
      const previous = changedValues(before, customer);
      if (previous) emit('customer.updated', customer, previous);
      return customer;
    }),
    // Ends the customer's subscriptions at once. Stripe still shows a deleted customer by id,
    // without its facts.
    endpoint('delete', '/customers/:id', {}, (_params, id) => {
      store.customers.get(id);
      for (const subscription of store.subscriptions.snapshot()) {
        if (subscription.customer === id && !isOver(subscription))
          endSubscription(deps, subscription, 'cancellation_requested');
      }
      store.customers.remove(id);
      return { id, object: 'customer', deleted: true };
    }),
    endpoint('post', '/payment_methods/:id/attach', { customer: text() }, ({ customer }, id) => {
      store.customers.get(customer, 'customer');
      const number = Object.hasOwn(TEST_METHODS, id) ? TEST_METHODS[id] : undefined;
      if (number === undefined) throw missing('PaymentMethod', id);
      return store.paymentMethods.insert(
        buildPaymentMethod(clock, { customer, last4: number.slice(-4) }),
      );
    }),
  ];
}
