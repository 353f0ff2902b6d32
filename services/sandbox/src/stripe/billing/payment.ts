import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, hasValues, list, retrieve } from '../wire/endpoint.ts';
import { newId } from '../wire/objects.ts';
import { integer, mergeMetadata, metadata, oneOf, text } from '../wire/parameters.ts';
import { invalidRequest, missing, onlyOneOf } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
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

const refundParameters = {
  charge: text().optional(),
  payment_intent: text().optional(),
  amount: integer(1).optional(),
  reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
};
type RefundInput = z.output<z.ZodObject<typeof refundParameters>>;

function buildRefund(clock: Clock, charge: Charge, amount: number, input: RefundInput) {
  return {
    id: newId('re'),
    object: 'refund' as const,
    amount,
    charge: charge.id,
    created: epochSeconds(clock),
    currency: charge.currency,
    metadata: mergeMetadata({}, input.metadata),
    payment_intent: charge.payment_intent,
    reason: input.reason ?? null,
    status: 'succeeded' as 'succeeded' | 'failed',
  };
}

/** Refunds a payment in part or whole. A payment that is disputed, or was lost to a dispute, is not refunded. */
function refund({ store, clock, emit }: BillingDeps, params: RefundInput): Refund {
  const { charge: chargeId, payment_intent: intent } = params;
  if (chargeId !== undefined && intent !== undefined) throw onlyOneOf('charge', 'payment_intent');
  const charge =
    chargeId === undefined
      ? store.charges.snapshot().find((found) => found.payment_intent === intent)
      : store.charges.get(chargeId, 'charge');
  if (!charge) throw missing('payment_intent', intent ?? '', 'payment_intent');
  const disputes = store.disputes.snapshot().filter((found) => found.charge === charge.id);
  if (disputes.some(({ status }) => status !== 'won')) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw invalidRequest(message, undefined, 'charge_disputed');
  }
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, undefined, 'charge_already_refunded');
  }
  const { amount = left } = params;
  if (amount > left) {
    const message = `Refund amount (${amount}) is greater than unrefunded amount (${left})`;
    throw invalidRequest(message, 'amount');
  }
  const made = store.refunds.insert(buildRefund(clock, charge, amount, params));
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  emit('refund.created', made);
  emit('charge.refunded', charge);
  return made;
}

const creditNoteParameters = {
  invoice: text(),
  amount: integer(1),
  credit_amount: integer(0).default(0),
  refunds: z.array(z.strictObject({ refund: text() })).default([]),
};
type CreditNoteInput = z.output<z.ZodObject<typeof creditNoteParameters>>;

function buildCreditNote(clock: Clock, invoice: Invoice, amount: number, refunds: Refund[]) {
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

/** Credits a paid invoice: to the customer's balance, or by refunds that were made before. */
function credit({ store, clock }: BillingDeps, params: CreditNoteInput): CreditNote {
  const { amount, credit_amount: toBalance } = params;
  const invoice = store.invoices.get(params.invoice, 'invoice');
  if (invoice.status !== 'paid')
    throw invalidRequest('The sandbox credits paid invoices only.', 'invoice');
  const refunds = params.refunds.map(({ refund: id }, index) =>
    store.refunds.get(id, `refunds[${index}][refund]`),
  );
  if (refunds.reduce((sum, { amount: part }) => sum + part, toBalance) !== amount) {
    throw invalidRequest('The sum of credit amount and refunds must equal the credit note amount.');
  }
  if (invoice.post_payment_credit_notes_amount + amount > invoice.total) {
    throw invalidRequest(
      'The credit note amount is greater than what is left to credit.',
      'amount',
    );
  }
  store.customers.get(invoice.customer).balance -= toBalance;
  invoice.post_payment_credit_notes_amount += amount;
  return store.creditNotes.insert(buildCreditNote(clock, invoice, amount, refunds));
}

/** Charges, refunds, credit notes and disputes. */
export function paymentEndpoints(deps: BillingDeps): Endpoint[] {
  const { store, emit } = deps;
  const { charge, payment_intent } = refundParameters;
  return [
    list('/charges', store.charges),
    retrieve('/charges', store.charges),
    list(
      '/invoice_payments',
      store.invoicePayments,
      {
        invoice: text().optional(),
        status: oneOf(['canceled', 'open', 'paid']).optional(),
        payment: z
          .strictObject({ type: z.literal('payment_intent'), payment_intent: text() })
          .optional(),
      },
      (found, { payment, ...own }) =>
        hasValues(found, own) && hasValues(found.payment, { ...payment }),
    ),

    endpoint('post', '/refunds', refundParameters, (params) => refund(deps, params)),
    list('/refunds', store.refunds, { charge, payment_intent }),
    retrieve('/refunds', store.refunds),

    endpoint('post', '/credit_notes', creditNoteParameters, (params) => credit(deps, params)),
    list('/credit_notes', store.creditNotes, { invoice: text().optional() }),

    list('/disputes', store.disputes),
    retrieve('/disputes', store.disputes),
    endpoint(
      'post',
      '/disputes/:id',
      { evidence: z.record(z.string(), z.unknown()) },
      (_params, id) => {
        const dispute = store.disputes.get(id);
        if (dispute.status !== 'needs_response')
          throw invalidRequest('This dispute no longer accepts evidence.');
        dispute.evidence_details.has_evidence = true;
        dispute.status = 'under_review';
        emit('charge.dispute.updated', dispute);
        return dispute;
      },
    ),
    // Closing a dispute accepts it: the owner loses the money.
    endpoint('post', '/disputes/:id/close', {}, (_params, id) => {
      const dispute = store.disputes.get(id);
      if (dispute.status === 'won' || dispute.status === 'lost') {
        throw invalidRequest('This dispute is already closed.');
      }
      dispute.status = 'lost';
      emit('charge.dispute.closed', dispute);
      return dispute;
    }),
  ];
}
