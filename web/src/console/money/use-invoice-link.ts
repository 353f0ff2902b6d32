import { showFailure } from '../api/call-fault.ts';
import { copyText } from '../elements/copy-text.ts';
import { useSession } from '../session/session.tsx';

/** Fetches Stripe's current link of an invoice, which customers can open, to copy it or to write it into an email draft. */
export function useInvoiceLink() {
  const { call } = useSession();
  const withLink = async (id: string, use: (url: string) => unknown) => {
    try {
      const headers = { Accept: 'application/json' };
      const answer = await call('GET /api/admin/invoices/:id/page', { params: { id }, headers });
      await use(answer.url);
    } catch (error) {
      showFailure('The link could not be fetched', error);
    }
  };
  return {
    copyLink: async (id: string) => withLink(id, (url) => copyText(url, 'Stripe’s link of the invoice.')),
    /** Nothing is sent: the operator's email program opens with a draft. */
    draftEmail: async (id: string, email: string) =>
      withLink(id, (url) => {
        const body = `Hello,\n\nYour invoice is here, to view, download or pay:\n${url}\n`;
        window.location.href = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent('Your invoice')}&body=${encodeURIComponent(body)}`;
      }),
  };
}
