import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { payInvoice } from './invoice.service.ts';
import { acceptedAll } from '../wire/parameters.ts';
import { missing } from '../wire/stripe-fault.ts';
import type { StripeDeps } from '../stripe.store.ts';

export function invoiceEndpoints(deps: StripeDeps): Endpoint[] {
  const { store } = deps;
  return [
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
