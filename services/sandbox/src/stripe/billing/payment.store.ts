import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/ids.ts';
import { embeddedList } from '../wire/list.ts';
import { nulls } from '../wire/nulls.ts';
import type { PaymentMethod } from './customer.store.ts';
import type { Invoice } from './invoice.store.ts';

export type Charge = ReturnType<typeof buildCharge>;
export type InvoicePayment = ReturnType<typeof buildInvoicePayment>;
export type Refund = ReturnType<typeof buildRefund> & { failure_reason?: string };
export type Dispute = ReturnType<typeof buildDispute>;
export type CreditNote = ReturnType<typeof buildCreditNote>;

/** Builds the charge for an invoice. Its payment intent is an id only. */
export function buildCharge(clock: Clock, invoice: Invoice, method: PaymentMethod) {
  const id = newId('ch');
  return {
    id,
    object: 'charge' as const,
    amount: invoice.amount_due,
    amount_captured: invoice.amount_due,
    amount_refunded: 0,
    balance_transaction: newId('txn'),
    billing_details: {
      address: null,
      email: invoice.customer_email,
      name: invoice.customer_name,
      phone: null,
      tax_id: null,
    },
    captured: true,
    created: epochSeconds(clock),
    currency: invoice.currency,
    customer: invoice.customer,
    description: 'Subscription',
    disputed: false,
    fraud_details: {},
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: newId('pi'),
    payment_method: method.id,
    payment_method_details: {
      card: buildChargedCard(invoice.amount_due, method),
      type: 'card' as const,
    },
    refunded: false,
    status: 'succeeded' as const,
    ...nulls(
      'application',
      'application_fee',
      'application_fee_amount',
      'calculated_statement_descriptor',
    ),
    ...nulls(
      'failure_balance_transaction',
      'failure_code',
      'failure_message',
      'on_behalf_of',
      'outcome',
    ),
    ...nulls(
      'receipt_email',
      'receipt_number',
      'receipt_url',
      'review',
      'shipping',
      'source',
      'source_transfer',
    ),
    ...nulls(
      'statement_descriptor',
      'statement_descriptor_suffix',
      'transfer_data',
      'transfer_group',
    ),
  };
}

function buildChargedCard(amountPence: number, { card }: PaymentMethod) {
  return {
    amount_authorized: amountPence,
    brand: card.brand,
    country: card.country,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    funding: card.funding,
    last4: card.last4,
    network: 'visa',
    ...nulls(
      'authorization_code',
      'checks',
      'electronic_commerce_indicator',
      'installments',
      'mandate',
    ),
    ...nulls(
      'network_transaction_id',
      'regulated_status',
      'three_d_secure',
      'transaction_link_id',
      'wallet',
    ),
  };
}

/** Builds the link between an invoice and the payment that paid it. */
export function buildInvoicePayment(clock: Clock, invoice: Invoice, charge: Charge) {
  const now = epochSeconds(clock);
  return {
    id: newId('inpay'),
    object: 'invoice_payment' as const,
    amount_paid: charge.amount,
    amount_requested: charge.amount,
    created: now,
    currency: charge.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: charge.payment_intent, type: 'payment_intent' as const },
    status: 'paid' as const,
    status_transitions: { canceled_at: null, paid_at: now },
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
    amount: input.amount,
    balance_transaction: newId('txn'),
    charge: charge.id,
    created: epochSeconds(clock),
    currency: charge.currency,
    customer: charge.customer,
    metadata: input.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: input.reason,
    status: 'succeeded' as 'succeeded' | 'failed',
    ...nulls('customer_account', 'receipt_number', 'source_transfer_reversal', 'transfer_reversal'),
  };
}

/** Nothing yet. */
function buildEvidence() {
  return {
    enhanced_evidence: {},
    ...nulls(
      'access_activity_log',
      'billing_address',
      'cancellation_policy',
      'cancellation_policy_disclosure',
    ),
    ...nulls(
      'cancellation_rebuttal',
      'customer_communication',
      'customer_email_address',
      'customer_name',
    ),
    ...nulls('customer_purchase_ip', 'customer_signature', 'duplicate_charge_documentation'),
    ...nulls(
      'duplicate_charge_explanation',
      'duplicate_charge_id',
      'product_description',
      'receipt',
      'refund_policy',
    ),
    ...nulls(
      'refund_policy_disclosure',
      'refund_refusal_explanation',
      'service_date',
      'service_documentation',
    ),
    ...nulls('shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_documentation'),
    ...nulls('shipping_tracking_number', 'uncategorized_file', 'uncategorized_text'),
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
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: buildEvidence(),
    evidence_details: {
      due_by: now + EVIDENCE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response' as 'needs_response' | 'under_review' | 'won' | 'lost',
  };
}

type LinkedRefund = {
  amount_refunded: number;
  payment_record_refund: null;
  refund: string;
  type: 'refund';
};

/** Builds a credit note of a paid invoice. */
export function buildCreditNote(
  clock: Clock,
  invoice: Invoice,
  { amount, credit, refunds }: { amount: number; credit: number; refunds: LinkedRefund[] },
) {
  const id = newId('cn');
  return {
    id,
    object: 'credit_note' as const,
    amount,
    amount_shipping: 0,
    created: epochSeconds(clock),
    currency: invoice.currency,
    customer: invoice.customer,
    customer_balance_transaction: credit > 0 ? newId('cbtxn') : null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: epochSeconds(clock),
    invoice: invoice.id,
    lines: embeddedList(`/v1/credit_notes/${id}/lines`, []),
    livemode: false,
    metadata: {},
    number: `${invoice.number}-CN-01`,
    pdf: `${invoice.invoice_pdf}`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    refunds,
    status: 'issued' as const,
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: 'post_payment' as const,
    ...nulls(
      'customer_account',
      'memo',
      'out_of_band_amount',
      'reason',
      'shipping_cost',
      'voided_at',
    ),
  };
}
