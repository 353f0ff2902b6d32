import type { LeadSubscription, SubscriptionInvoice } from '@site/schema/calls/subscriptions';
import { formatPence } from '@site/schema/offer';
import { toUrl } from '../../http.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { formatDate } from '../time/london-time.ts';
import styles from './SubscriptionActions.module.css';

type InvoiceListProps = { invoices: LeadSubscription['invoices']; onRefund: (invoice: SubscriptionInvoice) => void };

/** Lists a subscription's invoices, each with its page at Stripe and, if something of it is left to refund, a button. */
export function InvoiceList({ invoices, onRefund }: InvoiceListProps) {
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
            <LinkButton aria-label={`Refund ${describePayment(invoice)}…`} onClick={() => onRefund(invoice)}>
              Refund…
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}

/** `£239.00 of 9 Dec 2025`. */
export function describePayment({ paidPence, paidAt, issuedAt }: SubscriptionInvoice): string {
  return `${formatPence(paidPence, true)} of ${formatDate(new Date(paidAt ?? issuedAt))}`;
}

function describeInvoice(invoice: SubscriptionInvoice): string {
  const { status, totalPence, paidPence, refundedPence, issuedAt } = invoice;
  if (paidPence === 0) return `${formatPence(totalPence, true)} of ${formatDate(new Date(issuedAt))}, ${status}.`;
  const paid = `${describePayment(invoice)}, paid`;
  if (refundedPence === 0) return `${paid}.`;
  if (refundedPence >= paidPence) return `${paid}. Refunded in full.`;
  return `${paid}. ${formatPence(refundedPence, true)} refunded.`;
}
