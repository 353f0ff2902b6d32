import { z } from 'zod';
import type { Customer } from './customer.store.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { acceptedAll, emailAddress, mergeMetadata, metadata } from '../wire/parameters.ts';
import { missing } from '../wire/stripe-fault.ts';
import type { StripeDeps } from '../stripe.store.ts';

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

const ownParameters = {
  email: emailAddress.optional(),
  name: z.string().max(256).optional(),
  phone: z.string().max(40).optional(),
  description: z.string().max(5_000).optional(),
  metadata,
  ...acceptedAll(...UNUSED),
};

export function customerEndpoints({ store }: StripeDeps): Endpoint[] {
  const find = (id: string): Customer => {
    const customer = store.customers.find(id);
    if (!customer) throw missing('customer', id);
    return customer;
  };

  return [
    endpoint('get', '/customers/:id', {}, (_params, path) => find(path['id'] ?? '')),

    endpoint('post', '/customers/:id', ownParameters, (params, path) => {
      const customer = find(path['id'] ?? '');
      customer.email = params.email ?? customer.email;
      if (params.name !== undefined) customer.name = params.name || null;
      if (params.phone !== undefined) customer.phone = params.phone || null;
      if (params.description !== undefined) customer.description = params.description || null;
      customer.metadata = mergeMetadata(customer.metadata, params.metadata);
      return customer;
    }),
  ];
}
