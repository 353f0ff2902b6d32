import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/objects.ts';
import type { PaymentMethod } from './customer.ts';
import type { Invoice } from './invoice.ts';

export type Charge = ReturnType<typeof buildCharge>;
export type InvoicePayment = ReturnType<typeof buildInvoicePayment>;
export type Refund = ReturnType<typeof buildRefund> & { failure_reason?: string };
export type Dispute = ReturnType<typeof buildDispute>;
export type CreditNote = ReturnType<typeof buildCreditNote>;

/** Builds the charge for an invoice. Its payment intent is an id only. */
export function buildCharge(clock: Clock, invoice: Invoice, method: PaymentMethod) {
  return {
    id: newId('ch'),
    object: 'charge' as const,
    amount: invoice.amount_due,
    amount_refunded: 0,
    created: epochSeconds(clock),
    currency: invoice.currency,
    customer: invoice.customer,
    disputed: false,
    livemode: false,
    paid: true,
    payment_intent: newId('pi'),
    payment_method: method.id,
    refunded: false,
    status: 'succeeded' as const,
  };
}

/** Builds the link between an invoice and the payment that paid it. */
export function buildInvoicePayment(clock: Clock, invoice: Invoice, charge: Charge) {
  return {
    id: newId('inpay'),
    object: 'invoice_payment' as const,
    amount_paid: charge.amount,
    created: epochSeconds(clock),
    currency: charge.currency,
    invoice: invoice.id,
    livemode: false,
    payment: { payment_intent: charge.payment_intent, type: 'payment_intent' as const },
    status: 'paid' as const,
  };
}

const EVIDENCE_SECONDS = 7 * 24 * 60 * 60;

/** Builds a dispute: the cardholder's bank withdraws the money until the dispute is closed. */
export function buildDispute(clock: Clock, charge: Charge) {
  const now = epochSeconds(clock);
  return {
    id: newId('dp'),
    object: 'dispute' as const,
    amount: charge.amount,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    evidence_details: { due_by: now + EVIDENCE_SECONDS, has_evidence: false },
    is_charge_refundable: false,
    livemode: false,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response' as 'needs_response' | 'under_review' | 'won' | 'lost',
  };
}

export function buildRefund(
  clock: Clock,
  charge: Charge,
  input: { amount: number; reason: string | null; metadata: Record<string, string> },
) {
  return {
    id: newId('re'),
    object: 'refund' as const,
    charge: charge.id,
    created: epochSeconds(clock),
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    ...input,
    status: 'succeeded' as 'succeeded' | 'failed',
  };
}

export function buildCreditNote(clock: Clock, invoice: Invoice, amount: number, refunds: Refund[]) {
  return {
    id: newId('cn'),
    object: 'credit_note' as const,
    amount,
    created: epochSeconds(clock),
    currency: invoice.currency,
    customer: invoice.customer,
    invoice: invoice.id,
    livemode: false,
    post_payment_amount: amount,
    refunds: refunds.map(({ id, amount: part }) => ({ amount_refunded: part, refund: id })),
    status: 'issued' as const,
    total: amount,
  };
}
