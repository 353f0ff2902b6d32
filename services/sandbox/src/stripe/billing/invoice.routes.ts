import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, retrieve } from '../wire/endpoint.ts';
import { acceptedAll } from '../wire/parameters.ts';
import type { BillingDeps } from './billing.store.ts';
import { payInvoice } from './invoice.service.ts';

export function invoiceEndpoints(deps: BillingDeps): Endpoint[] {
  const { invoices } = deps.store;
  return [
    retrieve('/invoices', invoices),

    endpoint(
      'post',
      '/invoices/:id/pay',
      acceptedAll('forgive', 'mandate', 'off_session', 'paid_out_of_band', 'payment_method', 'source'),
      (_params, id) => payInvoice(deps, invoices.get(id)),
    ),
  ];
}
