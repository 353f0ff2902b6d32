import type Stripe from 'stripe';
import { z } from 'zod';
import { OPERATOR_REQUEST } from '../../stripe/repeatable-call.ts';
import { orMissing } from '../../stripe/stripe-failure.ts';
import { instant, readSubscription } from './subscription-reading.ts';
import type { Foreign, SubscriptionSnapshot } from './subscription-reading.ts';

/*
 * Reads invoices, charges, refunds and disputes with everything up to the subscription. Only the
 * subscription shows whether they are ours, and its row must exist first, whichever event comes
 * first.
 */

const currency = z.string().regex(/^[a-z]{3}$/);
const stripeInvoice = z
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
export type InvoiceSnapshot = z.output<typeof stripeInvoice>;

const invoiceParent = z.object({
  parent: z
    .object({ subscription_details: z.object({ subscription: z.string() }).nullish() })
    .nullish(),
});
const stripeCharge = z.object({
  id: z.string(),
  payment_intent: z.string().nullable(),
});

const stripeRefund = z
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

const stripeDispute = z
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

/** A subscription at Stripe, with the requested payment objects. */
export type MoneyReading = {
  subscription: SubscriptionSnapshot;
  invoice?: InvoiceSnapshot;
  charge?: ChargeSnapshot;
  dispute?: DisputeSnapshot;
};

/**
 * Reads an invoice and its subscription. If Stripe no longer has the invoice, or shows it in an
 * unknown shape, reads only the subscription, which `told` (an older state of the invoice) may
 * name. Throws Stripe's error.
 */
export async function readInvoice(
  stripe: Stripe,
  id: string,
  readAt: string,
  told: unknown = null,
): Promise<MoneyReading | Foreign> {
  const found = await orMissing(stripe.invoices.retrieve(id));
  const subscriptionId = findSubscriptionId(found) ?? findSubscriptionId(told);
  if (subscriptionId === undefined) return 'foreign';
  const subscription = await readSubscription(stripe, subscriptionId, readAt);
  if (subscription === 'foreign') return subscription;
  const invoice = stripeInvoice.safeParse(found);
  if (invoice.success) return { subscription, invoice: invoice.data };
  const unreadParts = [...new Set([...subscription.unreadParts, 'invoice' as const])];
  return { subscription: { ...subscription, unreadParts } };
}

function findSubscriptionId(invoice: unknown): string | undefined {
  return invoiceParent.safeParse(invoice).data?.parent?.subscription_details?.subscription;
}

/** Reads a charge, the invoice it paid and its subscription. Throws as `readInvoice` does. */
export async function readCharge(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<MoneyReading | Foreign> {
  const { payment_intent: intent, ...charge } = stripeCharge.parse(
    await stripe.charges.retrieve(id),
  );
  if (intent === null) return 'foreign';
  // A charge does not name its invoice. The payment between them does.
  const payments = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: intent },
  });
  const invoice = payments.data[0]?.invoice;
  if (invoice === undefined) return 'foreign';
  const invoiceId = typeof invoice === 'string' ? invoice : invoice.id;
  const reading = await readInvoice(stripe, invoiceId, readAt);
  if (reading === 'foreign') return reading;
  const refunds = await readRefunds(stripe, charge.id);
  return { ...reading, charge: { id: charge.id, paymentIntentId: intent, invoiceId, refunds } };
}

async function readRefunds(stripe: Stripe, charge: string): Promise<ChargeSnapshot['refunds']> {
  const refunds = [];
  for await (const found of stripe.refunds.list({ charge, limit: 100 }))
    refunds.push(stripeRefund.parse(found));
  return refunds;
}

/**
 * Reads a refund's charge with all its refunds, its invoice and its subscription. Throws as
 * `readInvoice` does.
 */
export async function readRefund(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<MoneyReading | Foreign> {
  const { charge } = z
    .object({ charge: z.string().nullable() })
    .parse(await stripe.refunds.retrieve(id));
  return charge === null ? 'foreign' : readCharge(stripe, charge, readAt);
}

const stripeCreditNote = z.object({
  status: z.string(),
  post_payment_amount: z.int(),
  refunds: z.array(z.object({ amount_refunded: z.int() })),
});

/**
 * Reads the part of a paid invoice that was returned without a refund: credited to the customer's
 * balance, or outside Stripe. Throws Stripe's error.
 */
export async function readCredited(stripe: Stripe, invoice: string): Promise<number> {
  const { post_payment_credit_notes_amount: credited } = await stripe.invoices.retrieve(invoice);
  if (credited === 0) return 0;
  const notes = await stripe.creditNotes.list({ invoice, limit: 100 });
  return z
    .array(stripeCreditNote)
    .parse(notes.data)
    .filter(({ status }) => status !== 'void')
    .reduce(
      (sum, { post_payment_amount: amount, refunds }) =>
        refunds.reduce((rest, { amount_refunded: refunded }) => rest - refunded, sum + amount),
      0,
    );
}

/** Reads a dispute with its charge, invoice and subscription. Throws as `readInvoice` does. */
export async function readDispute(
  stripe: Stripe,
  id: string,
  readAt: string,
): Promise<MoneyReading | Foreign> {
  const { charge, dispute } = stripeDispute.parse(await stripe.disputes.retrieve(id));
  const reading = await readCharge(stripe, charge, readAt);
  return reading === 'foreign' ? reading : { ...reading, dispute };
}
