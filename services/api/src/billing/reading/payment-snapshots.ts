import { z } from 'zod';
import { OPERATOR_REQUEST } from '../../stripe/repeatable-call.ts';
import { instant } from './subscription-reading.ts';

/* Stripe's invoices, refunds and disputes in our form. Before: `invoice-reading.ts`. */

const currency = z.string().regex(/^[a-z]{3}$/);
export const stripeInvoice = z
  .object({
    id: z.string(),
    status: z.string(),
    number: z.string().nullable(),
    total: z.int(),
    amount_paid: z.int(),
    amount_remaining: z.int(),
    currency,
    total_excluding_tax: z.int().nullish(),
    total_taxes: z.array(z.object({ amount: z.int() })).nullish(),
    customer_address: z
      .object({ country: z.string().length(2).nullish() })
      .nullish()
      .catch(null),
    hosted_invoice_url: z.string().nullish(),
    attempt_count: z.int(),
    created: instant,
    status_transitions: z.object({ paid_at: instant.nullable() }),
  })
  .transform(({ id, status, number, total, currency, ...invoice }) => {
    const tax = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);
    return {
      id,
      status,
      number,
      totalPence: total,
      paidPence: invoice.amount_paid,
      /** The amount left to pay, after balance credit and credit notes. */
      remainingPence: invoice.amount_remaining,
      currency,
      taxPence: total - (invoice.total_excluding_tax ?? total - tax),
      /** From the billing address, if the customer gave one. */
      country: invoice.customer_address?.country ?? null,
      pageUrl: invoice.hosted_invoice_url ?? null,
      attempts: invoice.attempt_count,
      issuedAt: invoice.created,
      paidAt: invoice.status_transitions.paid_at,
    };
  });
export type InvoiceSnapshot = z.output<typeof stripeInvoice> & { attempt: PaymentAttempt | null };

/** The newest charge of an invoice. A value is null while it is not known. */
export const stripeAttempt = z
  .object({
    currency,
    status: z.string(),
    failure_code: z.string().nullish(),
    outcome: z.object({ reason: z.string().nullish() }).nullish().catch(null),
    payment_method_details: z
      .object({
        card: z.object({ brand: z.string().nullish(), last4: z.string().nullish() }).nullish(),
      })
      .nullish()
      .catch(null),
    balance_transaction: z
      .object({ fee: z.int(), currency, available_on: instant })
      .nullish()
      .catch(null),
  })
  .transform(
    ({ status, payment_method_details: method, balance_transaction: entry, ...charge }) => ({
      /** The bank's reason for a failure, in Stripe's code. */
      declineCode:
        status === 'failed' ? (charge.outcome?.reason ?? charge.failure_code ?? null) : null,
      cardBrand: method?.card?.brand ?? null,
      cardLast4: method?.card?.last4 ?? null,
      /** Stripe's fee, if it is in the invoice's currency. */
      feePence: entry?.currency === charge.currency ? entry.fee : null,
      availableAt: entry?.available_on ?? null,
    }),
  );
export type PaymentAttempt = z.output<typeof stripeAttempt>;
export const NO_ATTEMPT: PaymentAttempt = {
  declineCode: null,
  cardBrand: null,
  cardLast4: null,
  feePence: null,
  availableAt: null,
};

export const stripeRefund = z
  .object({
    id: z.string(),
    amount: z.int(),
    currency,
    status: z.string().nullable(),
    failure_reason: z.string().nullish().catch(null),
    metadata: z.record(z.string(), z.string()).nullish().catch(null),
    created: instant,
  })
  .transform(({ id, amount, currency, status, failure_reason: failureReason, ...refund }) => ({
    id,
    amountPence: amount,
    currency,
    status: status ?? 'pending',
    failureReason: failureReason ?? null,
    refundedAt: refund.created,
    /** The operator's request that made it. */
    operatorRequest: refund.metadata?.[OPERATOR_REQUEST] ?? null,
  }));
/** Statuses of refunds that return no money to the customer. */
export const RETURNED_NOTHING = new Set(['failed', 'canceled']);

export type ChargeSnapshot = {
  id: string;
  paymentIntentId: string;
  /** The invoice that the charge paid, even if it cannot be read. */
  invoiceId: string;
  refunds: z.output<typeof stripeRefund>[];
};

export const stripeDispute = z
  .object({
    id: z.string(),
    charge: z.string(),
    amount: z.int(),
    currency,
    reason: z.string(),
    status: z.string(),
    evidence_details: z.object({ due_by: instant.nullable() }).catch({ due_by: null }),
    created: instant,
  })
  .transform(({ id, charge, amount, currency, reason, status, ...dispute }) => ({
    charge,
    dispute: {
      id,
      amountPence: amount,
      currency,
      reason,
      status,
      evidenceDueAt: dispute.evidence_details.due_by,
      openedAt: dispute.created,
    },
  }));
export type DisputeSnapshot = z.output<typeof stripeDispute>['dispute'];
