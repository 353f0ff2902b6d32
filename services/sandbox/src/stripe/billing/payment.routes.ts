import { z } from 'zod';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, hasValues, list, retrieve } from '../wire/endpoint.ts';
import { integer, mergeMetadata, metadata, oneOf, text } from '../wire/parameters.ts';
import { invalidRequest, missing, onlyOneOf } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import { markPaid } from './invoice.service.ts';
import type { CreditNote, Refund } from './payment.ts';
import { buildCreditNote, buildRefund } from './payment.ts';

const refundParameters = {
  charge: text().optional(),
  payment_intent: text().optional(),
  amount: integer(1).optional(),
  reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
};
type RefundInput = z.output<z.ZodObject<typeof refundParameters>>;

/**
 * Refunds a payment in part or whole. A payment that is disputed, or was lost to a dispute, is not
 * refunded.
 */
function refund({ store, clock, emit }: BillingDeps, params: RefundInput): Refund {
  const { charge: chargeId, payment_intent: intent } = params;
  if (chargeId !== undefined && intent !== undefined) throw onlyOneOf('charge', 'payment_intent');
  const charge =
    chargeId === undefined
      ? store.charges.snapshot().find((found) => found.paid && found.payment_intent === intent)
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
  const made = store.refunds.insert(
    buildRefund(clock, charge, {
      amount,
      reason: params.reason ?? null,
      metadata: mergeMetadata({}, params.metadata),
    }),
  );
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

/**
 * Credits an invoice. Of an open one, less remains to be paid. A paid one is credited to the
 * customer's balance, or by refunds that were made before.
 */
function credit(deps: BillingDeps, params: CreditNoteInput): CreditNote {
  const { store, clock, emit } = deps;
  const { amount, credit_amount: toBalance } = params;
  const invoice = store.invoices.get(params.invoice, 'invoice');
  if (invoice.status === 'open') {
    if (amount > invoice.amount_remaining)
      throw invalidRequest('The credit note amount is greater than what remains.', 'amount');
    invoice.amount_due -= amount;
    invoice.amount_remaining -= amount;
    const made = store.creditNotes.insert(buildCreditNote(clock, invoice, amount, []));
    made.post_payment_amount = 0;
    emit('credit_note.created', made);
    if (invoice.amount_remaining === 0) markPaid(deps, invoice);
    return made;
  }
  if (invoice.status !== 'paid')
    throw invalidRequest(`The sandbox credits no invoice that is ${invoice.status}.`, 'invoice');
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
  const made = store.creditNotes.insert(buildCreditNote(clock, invoice, amount, refunds));
  emit('credit_note.created', made);
  return made;
}

/** In Stripe's test mode, these texts decide a dispute at once. */
const DECIDING_EVIDENCE = new Map<unknown, 'won' | 'lost'>([
  ['winning_evidence', 'won'],
  ['losing_evidence', 'lost'],
]);

/** Charges, refunds, credit notes and disputes. */
export function paymentEndpoints(deps: BillingDeps): Endpoint[] {
  const { store, emit } = deps;
  const { charge, payment_intent } = refundParameters;
  return [
    list('/charges', store.charges, { payment_intent }),
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
    retrieve('/credit_notes', store.creditNotes),

    list('/disputes', store.disputes),
    retrieve('/disputes', store.disputes),
    endpoint(
      'post',
      '/disputes/:id',
      { evidence: z.record(z.string(), z.unknown()) },
      ({ evidence }, id) => {
        const dispute = store.disputes.get(id);
        if (dispute.status !== 'needs_response')
          throw invalidRequest('This dispute no longer accepts evidence.');
        dispute.evidence_details.has_evidence = true;
        const decision = DECIDING_EVIDENCE.get(evidence['uncategorized_text']);
        dispute.status = decision ?? 'under_review';
        emit(`charge.dispute.${decision ? 'closed' : 'updated'}`, dispute);
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
