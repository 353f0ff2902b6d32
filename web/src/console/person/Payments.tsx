import type { LeadSubscription, SubscriptionInvoice } from '@site/schema/calls/subscriptions';
import { formatMoney } from '@site/schema/currency';
import { useState } from 'react';
import { DataTable } from '../shared/DataTable.tsx';
import { countOf } from '../shared/format-count.ts';
import { CallLink, LinkButton } from '../shared/LinkButton.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { useNarrow } from '../shared/use-media.ts';
import { formatDate, formatDay } from '../shared/london-time.ts';
import styles from './Payments.module.css';
import { useInvoiceLink } from './use-invoice-link.ts';

export type Payment = { invoice: SubscriptionInvoice; subscription: LeadSubscription };

/** The invoices of all subscriptions, the newest first. */
export const listPayments = (subscriptions: readonly LeadSubscription[]): Payment[] =>
  subscriptions
    .flatMap((subscription) => subscription.invoices.map((invoice) => ({ invoice, subscription })))
    .toSorted((a, b) => b.invoice.issuedAt.localeCompare(a.invoice.issuedAt));

/** The newest invoice that had something to pay. */
export const newestCharge = (subscriptions: readonly LeadSubscription[]) =>
  listPayments(subscriptions).find(({ invoice }) => invoice.totalPence > 0);

export const isRefundable = ({ invoice }: Payment) =>
  !invoice.dispute && invoice.refundedPence < invoice.paidPence;

/** What Stripe does not try to charge any more. Its link could still be paid, for nothing. */
export const isWrittenOff = ({ invoice: { status, paidPence }, subscription }: Payment) =>
  paidPence === 0 && status === 'open' && subscription.stage === 'ended';

const SHOWN = 3;

type PaymentsProps = {
  subscriptions: readonly LeadSubscription[];
  now: Date;
  onRefund: (payment: Payment) => void;
};

/** What a person was charged and paid, with each invoice at Stripe. */
export function Payments({ subscriptions, now, onRefund }: PaymentsProps) {
  const payments = listPayments(subscriptions);
  const { openPage, copyLink, fetching } = useInvoiceLink();
  const sum = (of: 'paidPence' | 'refundedPence') =>
    payments.reduce((total, { invoice }) => total + invoice[of], 0);
  const [paid, refunded] = [sum('paidPence'), sum('refundedPence')];
  // A customer pays in one currency.
  const money = (amount: number) => formatMoney(amount, payments[0]?.invoice.currency ?? null);
  // On a phone, what can be done comes after them.
  const [isAll, showAll] = useState(false);
  const isFolded = useNarrow() && !isAll && payments.length > SHOWN + 1;
  return (
    <section className={styles.payments} aria-label="Payments">
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
          heads={['Date', 'Invoice', 'For', 'What happened', 'Amount', 'Actions']}
          widths={['15%', '18%', '10%', 'auto', '12%', '20%']}
          numbersFrom={4}
          isStacking
          foot={
            <tr>
              <th scope="row" colSpan={4}>
                {refunded > 0 ? `Paid ${money(paid)}, refunded ${money(refunded)}` : 'Paid in all'}
              </th>
              <td data-figure data-amount className={styles.sum}>
                <span>{money(paid - refunded)}</span>
              </td>
              <td data-none>{'\u00A0'}</td>
            </tr>
          }
        >
          {payments.slice(0, isFolded ? SHOWN : undefined).map(({ invoice, subscription }) => {
            const name = invoice.number ?? invoice.id;
            const isTrial = isOfTrial({ invoice, subscription });
            return (
              <tr key={invoice.id}>
                <td>{formatDate(new Date(invoice.paidAt ?? invoice.issuedAt))}</td>
                <td>
                  <CallLink
                    aria-label={`Invoice ${name}`}
                    onClick={() => void openPage(invoice.id)}
                  >
                    {invoice.number ?? 'Invoice'}
                  </CallLink>
                </td>
                <td data-none={(subscriptions.length === 1 && !isTrial) || undefined}>
                  {isTrial ? 'Trial' : subscription.plan === 'annual' ? 'Yearly' : 'Monthly'}
                </td>
                <td>{describeOutcome({ invoice, subscription }, now)}</td>
                <td data-figure data-amount>
                  {money(invoice.paidPence || invoice.totalPence)}
                </td>
                <td data-figure data-acts className={styles.links}>
                  <CallLink
                    aria-label={`Copy link of invoice ${name}`}
                    onClick={() => void copyLink(invoice.id)}
                  >
                    {fetching === invoice.id ? 'Fetching…' : 'Copy link'}
                  </CallLink>{' '}
                  {isRefundable({ invoice, subscription }) && (
                    <CallLink
                      aria-label={`Refund ${describePayment(invoice)}…`}
                      onClick={() => onRefund({ invoice, subscription })}
                    >
                      Refund…
                    </CallLink>
                  )}
                </td>
              </tr>
            );
          })}
          {isFolded && (
            <tr>
              <td colSpan={6}>
                <LinkButton onClick={() => showAll(true)}>Show all {payments.length}</LinkButton>
              </td>
            </tr>
          )}
        </DataTable>
      )}
    </section>
  );
}

/** `£239.00 of 9 Dec 2025`: what is left of a payment, or a part of it. */
export const describePayment = (
  of: SubscriptionInvoice,
  pence = of.paidPence - of.refundedPence || of.paidPence,
) => `${formatMoney(pence, of.currency)} of ${formatDate(new Date(of.paidAt ?? of.issuedAt))}`;

const UNPAID: Record<string, string> = {
  open: 'Not paid yet',
  void: 'Cancelled',
  uncollectible: 'Written off',
};

/** Tells whether an invoice of nothing is for a trial. */
const isOfTrial = ({ invoice: { totalPence, issuedAt }, subscription: { trialEndsAt } }: Payment) =>
  totalPence === 0 && trialEndsAt !== null && issuedAt < trialEndsAt;

function describeOutcome({ invoice, subscription }: Payment, now: Date): string {
  const { status, totalPence, paidPence, refundedPence, currency, dispute } = invoice;
  if (dispute?.status === 'lost') return 'Disputed and lost';
  if (dispute?.evidenceDueAt && dispute.status === 'needs_response')
    return `Disputed, answer by ${formatDay(new Date(dispute.evidenceDueAt), now)}`;
  if (dispute) return 'Disputed, the bank decides';
  if (totalPence === 0)
    return isOfTrial({ invoice, subscription }) ? 'Nothing charged' : 'Nothing to pay';
  if (isWrittenOff({ invoice, subscription })) return 'Not paid; payable only by its link';
  if (paidPence === 0) return UNPAID[status] ?? status;
  if (refundedPence === 0) return 'Paid';
  return refundedPence >= paidPence
    ? 'Refunded in full'
    : `${formatMoney(refundedPence, currency)} refunded`;
}
