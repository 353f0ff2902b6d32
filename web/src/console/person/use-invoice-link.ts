import type { CallApi } from '../../http.ts';
import { showFailure } from '../api/fault.ts';
import { copyText } from '../shared/fields.tsx';
import { useSession } from '../session/session.tsx';

/** Fetches Stripe's current link of an invoice, which customers can open. */
export async function fetchInvoiceLink(call: CallApi, id: string): Promise<string> {
  const headers = { Accept: 'application/json' };
  return (await call('GET /api/admin/invoices/:id/page', { params: { id }, headers })).url;
}

/** Fetches the link of an invoice, to open it or to copy it. */
export function useInvoiceLink() {
  const { call } = useSession();
  const withLink = async (id: string, use: (url: Promise<string>) => Promise<unknown>) => {
    try {
      await use(fetchInvoiceLink(call, id));
      return true;
    } catch (error) {
      showFailure('The link could not be fetched', error);
      return false;
    }
  };
  return {
    openPage: async (id: string) => {
      // A browser opens a page only at the click itself, and Stripe is asked first.
      const page = window.open('', '_blank');
      if (page) page.opener = null;
      const isOpened = await withLink(id, async (url) =>
        (page ?? window).location.assign(await url),
      );
      if (!isOpened) page?.close();
    },
    copyLink: async (id: string) =>
      withLink(id, async (url) => copyText(url, 'Stripe’s link of the invoice.')),
  };
}
