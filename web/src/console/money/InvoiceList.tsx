import type { LeadSubscription, SubscriptionInvoice } from '@site/schema/calls/subscriptions';
import { formatMoney } from '@site/schema/currency';
import { toUrl } from '../../http.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { formatDate, formatLongDay } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import styles from './SubscriptionActions.module.css';

type InvoiceListProps = { invoices: LeadSubscription['invoices']; onRefund: (invoice: SubscriptionInvoice) => void };

/** Lists a subscription's invoices, each with its page at Stripe and, if something of it is left to refund, a button. */
export function InvoiceList({ invoices, onRefund }: InvoiceListProps) {
  const now = useNow(false);
  if (invoices.length === 0) return null;
  return (
    <ul className={styles.invoices} aria-label="Invoices">
      {invoices.map((invoice) => (
        <li key={invoice.id}>
          {describeInvoice(invoice)}{' '}
          <a
            href={toUrl('GET /api/admin/invoices/:id/page', { params: { id: invoice.id } })}
            target="_blank"
            rel="noreferrer"
            aria-label={`Invoice ${invoice.number ?? invoice.id}`}
          >
            Invoice
          </a>{' '}
          {invoice.refundedPence < invoice.paidPence && (
            <LinkButton aria-label={`Refund ${describePayment(invoice, now)}…`} onClick={() => onRefund(invoice)}>
              Refund…
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}

/** `£239.00 of 9 December`: a payment, or a part of it. */
export function describePayment(invoice: SubscriptionInvoice, now: Date, pence = invoice.paidPence): string {
  return `${formatMoney(pence, invoice.currency)} of ${formatLongDay(new Date(invoice.paidAt ?? invoice.issuedAt), now)}`;
}

function describeInvoice(invoice: SubscriptionInvoice): string {
  const { status, totalPence, paidPence, refundedPence, currency, issuedAt } = invoice;
  const day = formatDate(new Date(invoice.paidAt ?? issuedAt));
  if (paidPence === 0) return `${formatMoney(totalPence, currency)} of ${day}, ${status}.`;
  const paid = `${formatMoney(paidPence, currency)} of ${day}, paid`;
  if (refundedPence === 0) return `${paid}.`;
  if (refundedPence >= paidPence) return `${paid}. Refunded in full.`;
  return `${paid}. ${formatMoney(refundedPence, currency)} refunded.`;
}
