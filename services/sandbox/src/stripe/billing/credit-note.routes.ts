import { z } from 'zod';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint } from '../wire/endpoint.ts';
import { isWanted, pageParameters, toPage } from '../wire/list.ts';
import { acceptedAll, integer, text } from '../wire/parameters.ts';
import { invalidRequest } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import { buildCreditNote } from './payment.store.ts';

/** Credit notes of paid invoices: credited to the customer's balance, or linked to refunds that were made before. */
export function creditNoteEndpoints({ store, clock }: BillingDeps): Endpoint[] {
  return [
    endpoint(
      'post',
      '/credit_notes',
      {
        invoice: text(),
        amount: integer(1),
        credit_amount: integer(0).optional(),
        refunds: z
          .array(z.strictObject({ refund: text(), amount_refunded: integer(1).optional() }))
          .optional(),
        ...acceptedAll('memo', 'metadata', 'reason'),
      },
      ({ amount, credit_amount: credit = 0, ...params }) => {
        const invoice = store.invoices.get(params.invoice, 'invoice');
        const customer = store.customers.get(invoice.customer);
        if (invoice.status !== 'paid')
          throw invalidRequest('The sandbox credits paid invoices only.', 'invoice');
        const refunds = (params.refunds ?? []).map(({ refund, amount_refunded: part }) => ({
          amount_refunded: part ?? store.refunds.get(refund, 'refunds[0][refund]').amount,
          payment_record_refund: null,
          refund,
          type: 'refund' as const,
        }));
        if (refunds.reduce((sum, { amount_refunded: part }) => sum + part, credit) !== amount) {
          throw invalidRequest(
            'The sum of credit amount and refunds must equal the credit note amount.',
          );
        }
        if (invoice.post_payment_credit_notes_amount + amount > invoice.total) {
          throw invalidRequest(
            'The credit note amount is greater than what is left to credit.',
            'amount',
          );
        }
        customer.balance -= credit;
        invoice.post_payment_credit_notes_amount += amount;
        return store.creditNotes.insert(
          buildCreditNote(clock, invoice, { amount, credit, refunds }),
        );
      },
    ),
    endpoint(
      'get',
      '/credit_notes',
      { ...pageParameters, invoice: text().optional() },
      ({ invoice, ...page }) =>
        toPage(
          '/v1/credit_notes',
          store.creditNotes.newestFirst().filter((found) => isWanted(found.invoice, invoice)),
          page,
        ),
    ),
  ];
}
