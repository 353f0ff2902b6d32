import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list } from '../wire/endpoint.ts';
import { acceptedAll } from '../wire/parameters.ts';
import type { BillingDeps } from './billing.store.ts';
import { payInvoice, toInvoicePage } from './invoice.service.ts';

export function invoiceEndpoints(deps: BillingDeps): Endpoint[] {
  const { invoices } = deps.store;
  return [
    list('/invoices', invoices),
    endpoint('get', '/invoices/:id', {}, (_params, id) => {
      const invoice = invoices.get(id);
      if (invoice.hosted_invoice_url !== null) invoice.hosted_invoice_url = toInvoicePage(deps, id);
      return invoice;
    }),

    endpoint(
      'post',
      '/invoices/:id/pay',
      acceptedAll(
        'forgive',
        'mandate',
        'off_session',
        'paid_out_of_band',
        'payment_method',
        'source',
      ),
      (_params, id) => payInvoice(deps, invoices.get(id)),
    ),
  ];
}
