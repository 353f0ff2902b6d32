import { useEffect } from 'react';
import useSWR from 'swr';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { useSession } from '../session/session.tsx';
import { fetchInvoiceLink } from '../person/use-invoice-link.ts';

/** Goes on to Stripe's page of an invoice. A link in a file leads here, because its reader may have to log in first. */
export function InvoicePage({ id }: { id: string }) {
  const { call } = useSession();
  const {
    data: url,
    error,
    mutate,
  } = useSWR(`invoice/${id}`, () => fetchInvoiceLink(call, id), CURRENT_DATA);
  useEffect(() => {
    // Back leads to where the link was, and not here again.
    if (url !== undefined) window.location.replace(url);
  }, [url]);
  return <LoadState of="invoice" fault={error} reload={() => mutate()} />;
}
