import type { CallApi } from '../../http.ts';
import { showFailure } from '../api/failure.ts';
import { copyText } from '../shared/fields.tsx';
import { useSession } from '../session/session.ts';

/** Fetches Stripe's current link of an invoice, which customers can open. */
export async function fetchInvoiceLink(call: CallApi, id: string): Promise<string> {
  const headers = { Accept: 'application/json' };
  return (await call('GET /api/admin/invoices/:id/page', { params: { id }, headers })).url;
}

/** Returns a function that copies an invoice's link. */
export function useInvoiceLink() {
  const { call } = useSession();
  return async (id: string) => {
    try {
      await copyText(fetchInvoiceLink(call, id), 'Stripe’s link of the invoice.');
    } catch (error) {
      showFailure('The link could not be fetched', error);
    }
  };
}
