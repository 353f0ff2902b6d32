import type { SubscriptionInvoice } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import type { CallApi } from '../../http.ts';
import { toasts } from '../../ui/toast-store.ts';
import { showFailure } from '../api/fault.ts';
import { copyText } from '../shared/fields.tsx';
import { useSession } from '../session/session.tsx';

/** Fetches Stripe's current link of an invoice, which customers can open. */
export async function fetchInvoiceLink(call: CallApi, id: string): Promise<string> {
  const headers = { Accept: 'application/json' };
  return (await call('GET /api/admin/invoices/:id/page', { params: { id }, headers })).url;
}

/** Fetches the link of an invoice, to open it, to copy it or to write it into an email draft. */
export function useInvoiceLink() {
  const { call } = useSession();
  const [fetching, setFetching] = useState<string>();
  const withLink = async (id: string, use: (url: Promise<string>) => unknown) => {
    try {
      await use(fetchInvoiceLink(call, id));
      return true;
    } catch (error) {
      showFailure('The link could not be fetched', error);
      return false;
    } finally {
      setFetching(undefined);
    }
  };
  return {
    /** The id of the invoice whose link is being fetched, to copy it. */
    fetching,
    openPage: async (id: string) => {
      // A browser opens a page only at the click itself, and Stripe is asked first.
      const page = window.open('', '_blank');
      if (page) page.opener = null;
      const isOpened = await withLink(id, async (url) =>
        (page ?? window).location.assign(await url),
      );
      if (!isOpened) page?.close();
    },
    copyLink: async (id: string) => {
      setFetching(id);
      await withLink(id, (url) => copyText(url, 'Stripe’s link of the invoice.'));
    },
    /** Nothing is sent: the operator's email program opens with a draft. */
    draftEmail: async ({ id, number, status }: SubscriptionInvoice, email: string) =>
      withLink(id, async (link) => {
        const url = await link;
        const subject = ['Your invoice', number].filter(Boolean).join(' ');
        const body = `Hello,\n\nYour invoice is here, to view${status === 'open' ? ', download or pay' : ' or download'}:\n${url}\n`;
        window.location.href = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
        const description =
          'Nothing is sent from here. If no draft has opened, copy the invoice’s link.';
        toasts.add({ title: 'Email draft opened', description });
      }),
  };
}
