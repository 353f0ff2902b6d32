import { z } from 'zod';
import { assignGiven } from '../wire/assign-given.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, retrieve } from '../wire/endpoint.ts';
import { acceptedAll, emailAddress, emptyable, mergeMetadata, metadata } from '../wire/parameters.ts';
import type { BillingDeps } from './billing.store.ts';

const UNUSED = [
  'address',
  'balance',
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

export function customerEndpoints({ store }: BillingDeps): Endpoint[] {
  return [
    retrieve('/customers', store.customers),

    endpoint(
      'post',
      '/customers/:id',
      {
        email: emailAddress.optional(),
        name: emptyable(z.string().max(256)),
        phone: emptyable(z.string().max(40)),
        description: emptyable(z.string().max(5_000)),
        metadata,
        ...acceptedAll(...UNUSED),
      },
      ({ email, name, phone, description, metadata: pairs }, id) => {
        const customer = store.customers.get(id);
        assignGiven(customer, { email, name, phone, description, metadata: mergeMetadata(customer.metadata, pairs) });
        return customer;
      },
    ),
  ];
}
