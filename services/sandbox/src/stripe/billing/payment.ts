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

/**
 * Builds an attempt to charge an invoice. Its payment intent, one for all attempts, is an id only.
 * `declineCode` is the bank's reason for a failure, or null.
 */
export function buildCharge(
  clock: Clock,
  invoice: Invoice,
  method: PaymentMethod,
  { intent, declineCode }: { intent: string; declineCode: string | null },
) {
  const isPaid = declineCode === null;
  return {
    id: newId('ch'),
    object: 'charge' as const,
    amount: invoice.amount_due,
    amount_refunded: 0,
    balance_transaction: null as string | null,
    created: epochSeconds(clock),
    currency: invoice.currency,
    customer: invoice.customer,
    disputed: false,
    failure_code: isPaid ? null : 'card_declined',
    livemode: false,
    outcome: { reason: declineCode, type: isPaid ? 'authorized' : 'issuer_declined' },
    paid: isPaid,
    payment_intent: intent,
    payment_method: method.id,
    payment_method_details: { card: method.card, type: 'card' as const },
    refunded: false,
    status: isPaid ? ('succeeded' as const) : ('failed' as const),
  };
}

export type BalanceTransaction = ReturnType<typeof buildBalanceTransaction>;

const DAY_SECONDS = 24 * 60 * 60;

/** Builds a charge's entry in the account's balance: 1.5 % and 20p go to Stripe. */
export function buildBalanceTransaction(clock: Clock, charge: Charge) {
  const fee = Math.round(charge.amount * 0.015) + 20;
  const now = epochSeconds(clock);
  return {
    id: newId('txn'),
    object: 'balance_transaction' as const,
    amount: charge.amount,
    available_on: now + 7 * DAY_SECONDS,
    created: now,
    currency: charge.currency,
    fee,
    net: charge.amount - fee,
    source: charge.id,
    status: 'pending' as const,
    type: 'charge' as const,
  };
}

/** Builds the link between an invoice and its payment. */
export function buildInvoicePayment(clock: Clock, invoice: Invoice, charge: Charge) {
  return {
    id: newId('inpay'),
    object: 'invoice_payment' as const,
    amount_paid: charge.paid ? charge.amount : 0,
    created: epochSeconds(clock),
    currency: charge.currency,
    invoice: invoice.id,
    livemode: false,
    payment: { payment_intent: charge.payment_intent, type: 'payment_intent' as const },
    status: charge.paid ? ('paid' as 'open' | 'paid') : ('open' as const),
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
