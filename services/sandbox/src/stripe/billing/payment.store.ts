import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/ids.ts';
import type { PaymentMethod } from './customer.store.ts';
import type { Invoice } from './invoice.store.ts';

export type Charge = ReturnType<typeof buildCharge>;
export type InvoicePayment = ReturnType<typeof buildInvoicePayment>;
export type Refund = ReturnType<typeof buildRefund> & { failure_reason?: string };
export type Dispute = ReturnType<typeof buildDispute>;

/** Builds the charge for an invoice. Its payment intent is an id only. */
export function buildCharge(clock: Clock, invoice: Invoice, method: PaymentMethod) {
  const id = newId('ch');
  return {
    id,
    object: 'charge' as const,
    amount: invoice.amount_due,
    amount_captured: invoice.amount_due,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: newId('txn'),
    billing_details: {
      address: null,
      email: invoice.customer_email,
      name: invoice.customer_name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: null,
    captured: true,
    created: epochSeconds(clock),
    currency: invoice.currency,
    customer: invoice.customer,
    description: 'Subscription',
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: null,
    paid: true,
    payment_intent: newId('pi'),
    payment_method: method.id,
    payment_method_details: { card: buildChargedCard(invoice.amount_due, method), type: 'card' as const },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'succeeded' as const,
    transfer_data: null,
    transfer_group: null,
  };
}

function buildChargedCard(amountPence: number, { card }: PaymentMethod) {
  return {
    amount_authorized: amountPence,
    authorization_code: null,
    brand: card.brand,
    checks: null,
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    network: 'visa',
    network_transaction_id: null,
    regulated_status: null,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
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
    customer_account: null,
    metadata: input.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: input.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded' as 'succeeded' | 'failed',
    transfer_reversal: null,
  };
}

/** Nothing yet. */
function buildEvidence() {
  return {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: null,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
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
