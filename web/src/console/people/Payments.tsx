import type { LeadSubscription, SubscriptionInvoice } from '@site/schema/calls/subscriptions';
import { formatPence } from '@site/schema/offer';
import { toUrl } from '../../http.ts';
import { DataTable } from '../elements/DataTable.tsx';
import { countOf } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { describePayment } from '../money/InvoiceList.tsx';
import { formatDate } from '../time/london-time.ts';
import styles from './PersonView.module.css';
import { useInvoiceLink } from './use-invoice-link.ts';

export type Payment = { invoice: SubscriptionInvoice; subscription: LeadSubscription };

/** The invoices of all subscriptions, the newest first. */
export const listPayments = (subscriptions: readonly LeadSubscription[]): Payment[] =>
  subscriptions
    .flatMap((subscription) => subscription.invoices.map((invoice) => ({ invoice, subscription })))
    .toSorted((a, b) => b.invoice.issuedAt.localeCompare(a.invoice.issuedAt));

export const isRefundable = ({ invoice }: Payment) => invoice.refundedPence < invoice.paidPence;

type PaymentsProps = { subscriptions: readonly LeadSubscription[]; now: Date; onRefund: (payment: Payment) => void };

/** What a person was charged and paid, with each invoice at Stripe. */
export function Payments({ subscriptions, now, onRefund }: PaymentsProps) {
  const payments = listPayments(subscriptions);
  const { copyLink } = useInvoiceLink();
  const sum = (of: 'paidPence' | 'refundedPence') => payments.reduce((total, { invoice }) => total + invoice[of], 0);
  const [paid, refunded] = [sum('paidPence'), sum('refundedPence')];
  return (
    <section aria-label="Payments">
      <SectionHead title="Payments" aside={payments.length > 0 && countOf(payments.length, 'invoice')}>
        {subscriptions[0] && (
          <a href={subscriptions[0].customerUrl} target="_blank" rel="noreferrer">
            Customer in Stripe
          </a>
        )}
      </SectionHead>
      {payments.length === 0 ? (
        <p>Nothing charged yet.</p>
      ) : (
        <DataTable
          name="Payments"
          heads={['Date', 'Invoice', 'For', 'What happened', 'Amount', 'Actions']}
          widths={['15%', '18%', '12%', 'auto', '13%', '21%']}
          numbersFrom={4}
          isStacking
          foot={
            <tr>
              <th scope="row" colSpan={4}>
                Paid {formatPence(paid, true)}
                {refunded > 0 && `, refunded ${formatPence(refunded, true)}`}
              </th>
              <td data-figure data-amount className={styles.sum}>
                {formatPence(paid - refunded, true)}
              </td>
              <td data-none>{'\u00A0'}</td>
            </tr>
          }
        >
          {payments.map(({ invoice, subscription }) => {
            const name = invoice.number ?? invoice.id;
            return (
              <tr key={invoice.id}>
                <td>{formatDate(new Date(invoice.paidAt ?? invoice.issuedAt))}</td>
                <td>
                  <a
                    href={toUrl('GET /api/admin/invoices/:id/page', { params: { id: invoice.id } })}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={`Invoice ${name}`}
                  >
                    {invoice.number ?? 'Invoice'}
                  </a>
                </td>
                <td>{subscription.plan === 'annual' ? 'Annual' : 'Monthly'}</td>
                <td>{describeOutcome(invoice)}</td>
                <td data-figure data-amount>
                  {formatPence(invoice.paidPence || invoice.totalPence, true)}
                </td>
                <td data-figure data-own className={styles.links}>
                  <LinkButton aria-label={`Copy link of invoice ${name}`} onClick={() => void copyLink(invoice.id)}>
                    Copy link
                  </LinkButton>{' '}
                  {isRefundable({ invoice, subscription }) && (
                    <LinkButton
                      data-refund
                      aria-label={`Refund ${describePayment(invoice, now)}…`}
                      onClick={() => onRefund({ invoice, subscription })}
                    >
                      Refund…
                    </LinkButton>
                  )}
                </td>
              </tr>
            );
          })}
        </DataTable>
      )}
    </section>
  );
}

const UNPAID: Record<string, string> = { open: 'Not paid yet', void: 'Cancelled', uncollectible: 'Written off' };

function describeOutcome({ status, paidPence, refundedPence }: SubscriptionInvoice): string {
  if (paidPence === 0) return UNPAID[status] ?? status;
  if (refundedPence === 0) return 'Paid';
  return refundedPence >= paidPence ? 'Refunded in full' : `${formatPence(refundedPence, true)} refunded`;
}
