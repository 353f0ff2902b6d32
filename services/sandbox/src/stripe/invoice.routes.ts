import type { Endpoint } from './endpoint.ts';
import { endpoint } from './endpoint.ts';
import { pageParameters, toPage } from './list.ts';
import { payInvoice } from './invoice.service.ts';
import { INVOICE_STATUSES } from './invoice.store.ts';
import { acceptedAll, isInRange, oneOf, range, text } from './parameters.ts';
import { missing } from './stripe-fault.ts';
import type { StripeDeps } from './stripe.store.ts';

export function invoiceEndpoints(deps: StripeDeps): Endpoint[] {
  const { store } = deps;
  return [
    endpoint(
      'get',
      '/invoices',
      {
        ...pageParameters,
        created: range,
        customer: text().optional(),
        status: oneOf(INVOICE_STATUSES).optional(),
        subscription: text().optional(),
        ...acceptedAll('collection_method', 'due_date'),
      },
      ({ customer, status, subscription, created, ...page }) => {
        const invoices = store.invoices
          .newestFirst()
          .filter((invoice) => customer === undefined || invoice.customer === customer)
          .filter((invoice) => status === undefined || invoice.status === status)
          .filter(({ parent }) => !subscription || parent.subscription_details.subscription === subscription)
          .filter((invoice) => isInRange(invoice.created, created));
        return toPage('/v1/invoices', invoices, page);
      },
    ),

    endpoint('get', '/invoices/:id', {}, (_params, path) => {
      const id = path['id'] ?? '';
      const invoice = store.invoices.find(id);
      if (!invoice) throw missing('invoice', id);
      return invoice;
    }),

    endpoint(
      'post',
      '/invoices/:id/pay',
      { ...acceptedAll('forgive', 'mandate', 'off_session', 'paid_out_of_band', 'payment_method', 'source') },
      (_params, path) => {
        const invoice = store.invoices.find(path['id'] ?? '');
        if (!invoice) throw missing('invoice', path['id'] ?? '');
        payInvoice(deps, invoice);
        return invoice;
      },
    ),
  ];
}
