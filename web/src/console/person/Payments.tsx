import type { LeadSubscription, SubscriptionInvoice } from '@site/schema/calls/subscriptions';
import { formatMoney } from '@site/schema/money';
import { Link } from 'react-router-dom';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { capitalize, countOf, formatAmounts, formatDate, formatDay } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { INVOICE_STATES } from './labels.ts';
import { useInvoiceLink } from './use-invoice-link.ts';

export type Payment = { invoice: SubscriptionInvoice; subscription: LeadSubscription };

/** Lists the invoices of all subscriptions, the newest first. */
export const listPayments = (subscriptions: readonly LeadSubscription[]): Payment[] =>
  subscriptions
    .flatMap((subscription) => subscription.invoices.map((invoice) => ({ invoice, subscription })))
    .toSorted((a, b) => b.invoice.issuedAt.localeCompare(a.invoice.issuedAt));

/** Finds the newest invoice that had something to pay. */
export const newestCharge = (subscriptions: readonly LeadSubscription[]) =>
  listPayments(subscriptions).find(({ invoice }) => invoice.totalPence > 0);

const isRefundable = ({ invoice }: Payment) =>
  !invoice.dispute && invoice.refundedPence < invoice.paidPence;

type PaymentsProps = {
  subscriptions: readonly LeadSubscription[];
  now: Date;
  /** Undefined for a viewer, who refunds nothing. */
  onRefund: ((payment: Payment) => void) | undefined;
};

/** Lists a person's charges and payments, with each invoice at Stripe. */
export function Payments({ subscriptions, now, onRefund }: PaymentsProps) {
  const payments = listPayments(subscriptions);
  const copyLink = useInvoiceLink();
  const totals = addUp(subscriptions);
  return (
    <section aria-label="Payments">
      <SectionHead
        title="Payments"
        aside={payments.length > 0 && countOf(payments.length, 'invoice')}
      >
        {subscriptions[0] && (
          <a href={subscriptions[0].customerUrl} target="_blank" rel="noreferrer">
            Customer in Stripe
          </a>
        )}
      </SectionHead>
      {payments.length === 0 ? (
        <p>No invoices.</p>
      ) : (
        <DataTable
          name="Payments"
          columns={toColumns({ now, onRefund, copyLink })}
          rows={payments}
          keyOf={({ invoice }) => invoice.id}
          foot={
            <tr>
              <th scope="row" colSpan={3}>
                {totals.some(({ taken }) => taken.length > 0)
                  ? capitalize(totals.map(toTotalText).join('; '))
                  : 'Paid in all'}
              </th>
              <td data-figure data-amount>
                {formatAmounts(totals) || formatMoney(0, totals[0]?.currency ?? null)}
              </td>
              <td data-none>{'\u00A0'}</td>
            </tr>
          }
        />
      )}
    </section>
  );
}

type Total = { pence: number; currency: string; paid: number; taken: [string, number][] };

/** Adds up the payments in each currency, pounds first: the sum is the person's money in. */
function addUp(subscriptions: readonly LeadSubscription[]): Total[] {
  const totals = subscriptions.flatMap((subscription) => subscription.totals);
  const currencies = [...new Set(totals.map(({ currency }) => currency))].toSorted(
    (a, b) => Number(b === 'gbp') - Number(a === 'gbp') || a.localeCompare(b),
  );
  return currencies.map((currency) => {
    const sum = (of: 'paidPence' | 'refundedPence' | 'heldPence') =>
      totals.reduce((all, total) => (total.currency === currency ? all + total[of] : all), 0);
    const [paid, refunded, held] = [sum('paidPence'), sum('refundedPence'), sum('heldPence')];
    const taken: Total['taken'] = [
      ['refunded', refunded],
      ['held by banks', held],
    ];
    return {
      pence: paid - refunded - held,
      currency,
      paid,
      taken: taken.filter(([, pence]) => pence !== 0),
    };
  });
}

/** Returns `paid £478.00, refunded £80.00`. */
const toTotalText = ({ currency, paid, taken }: Total) =>
  [['paid', paid] as const, ...taken]
    .map(([name, pence]) => `${name} ${formatMoney(pence, currency)}`)
    .join(', ');

type ColumnsProps = Pick<PaymentsProps, 'now' | 'onRefund'> & {
  copyLink: ReturnType<typeof useInvoiceLink>;
};

function toColumns({ now, onRefund, copyLink }: ColumnsProps): Column<Payment>[] {
  return [
    {
      head: 'Date',
      cell: ({ invoice }) => formatDate(new Date(invoice.paidAt ?? invoice.issuedAt)),
    },
    {
      head: 'Invoice',
      cell: ({ invoice }) => (
        <Link
          to={{ search: `view=money&invoice=${invoice.id}` }}
          target="_blank"
          aria-label={`Invoice ${invoice.number ?? invoice.id}`}
        >
          {invoice.number ?? 'Invoice'}
        </Link>
      ),
    },
    { head: 'What happened', cell: (payment) => toOutcomeText(payment, now) },
    {
      head: 'Amount',
      isFigure: true,
      place: 'amount',
      cell: ({ invoice }) => formatMoney(invoice.paidPence || invoice.totalPence, invoice.currency),
    },
    {
      head: '',
      isFigure: true,
      place: 'line',
      cell: (payment) => (
        <>
          <LinkButton
            aria-label={`Copy link of invoice ${payment.invoice.number ?? payment.invoice.id}`}
            onClick={() => void copyLink(payment.invoice.id)}
          >
            Copy link
          </LinkButton>{' '}
          {onRefund && isRefundable(payment) && (
            <LinkButton
              aria-label={`Refund ${toPaymentText(payment.invoice)}…`}
              onClick={() => onRefund(payment)}
            >
              Refund…
            </LinkButton>
          )}
        </>
      ),
    },
  ];
}

/** Returns `£239.00 of 9 Dec 2025`: the rest of a payment, or a part of it. */
export const toPaymentText = (
  of: SubscriptionInvoice,
  pence = of.paidPence - of.refundedPence || of.paidPence,
) => `${formatMoney(pence, of.currency)} of ${formatDate(new Date(of.paidAt ?? of.issuedAt))}`;

function toOutcomeText({ invoice }: Payment, now: Date): string {
  const { status, totalPence, paidPence, refundedPence, currency, dispute } = invoice;
  if (dispute?.status === 'lost') return 'Disputed and lost';
  if (dispute?.evidenceDueAt && dispute.status === 'needs_response')
    return `Disputed, answer by ${formatDay(new Date(dispute.evidenceDueAt), now)}`;
  if (dispute) return 'Disputed, the bank decides';
  if (totalPence === 0) return 'Nothing to pay';
  if (paidPence === 0) return capitalize(INVOICE_STATES[status] ?? status);
  if (refundedPence === 0) return 'Paid';
  return refundedPence >= paidPence
    ? 'Refunded in full'
    : `${formatMoney(refundedPence, currency)} refunded`;
}
