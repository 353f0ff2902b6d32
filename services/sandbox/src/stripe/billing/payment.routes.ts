import { z } from 'zod';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list, retrieve } from '../wire/endpoint.ts';
import { isWanted, pageParameters, toPage } from '../wire/list.ts';
import {
  acceptedAll,
  flag,
  integer,
  isInRange,
  mergeMetadata,
  metadata,
  oneOf,
  range,
  text,
} from '../wire/parameters.ts';
import { invalidRequest, missing, onlyOneOf } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import { buildPaymentMethod } from './customer.store.ts';
import { buildRefund } from './payment.store.ts';
import { TEST_METHODS } from './test-cards.ts';

/** Charges, refunds, disputes and payment methods. */
export function paymentEndpoints(deps: BillingDeps): Endpoint[] {
  const { store, clock } = deps;
  return [
    list('/charges', store.charges),
    retrieve('/charges', store.charges),

    endpoint(
      'get',
      '/invoice_payments',
      {
        ...pageParameters,
        created: range,
        invoice: text().optional(),
        status: oneOf(['canceled', 'open', 'paid']).optional(),
        payment: z
          .strictObject({
            type: oneOf(['payment_intent', 'payment_record']),
            payment_intent: text().optional(),
            payment_record: text().optional(),
          })
          .optional(),
      },
      ({ invoice, payment, status, created, ...page }) => {
        if (payment?.type === 'payment_intent' && payment.payment_intent === undefined) {
          const param = 'payment[payment_intent]';
          throw invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing');
        }
        const payments = store.invoicePayments
          .newestFirst()
          .filter((found) => isWanted(found.invoice, invoice))
          .filter(
            (found) =>
              payment === undefined || found.payment.payment_intent === payment.payment_intent,
          )
          .filter((found) => isWanted(found.status, status))
          .filter((found) => isInRange(found.created, created));
        return toPage('/v1/invoice_payments', payments, page);
      },
    ),

    endpoint(
      'post',
      '/refunds',
      {
        charge: text().optional(),
        payment_intent: text().optional(),
        amount: integer(1).optional(),
        reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
        metadata,
        ...acceptedAll('instructions_email', 'refund_application_fee', 'reverse_transfer'),
      },
      (params) => {
        const { charge: chargeId, payment_intent: intent } = params;
        if (chargeId !== undefined && intent !== undefined)
          throw onlyOneOf('charge', 'payment_intent');
        const charge =
          chargeId === undefined
            ? store.charges.snapshot().find(({ payment_intent: found }) => found === intent)
            : store.charges.get(chargeId, 'charge');
        if (!charge) throw missing('payment_intent', intent ?? '', 'payment_intent');
        if (
          store.disputes
            .snapshot()
            .some((found) => found.charge === charge.id && found.status !== 'won')
        ) {
          const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
          throw invalidRequest(message, undefined, 'charge_disputed');
        }
        const left = charge.amount - charge.amount_refunded;
        const amount = params.amount ?? left;
        if (left === 0) {
          throw invalidRequest(
            `Charge ${charge.id} has already been refunded.`,
            undefined,
            'charge_already_refunded',
          );
        }
        if (amount > left) {
          throw invalidRequest(
            `Refund amount (${amount}) is greater than unrefunded amount (${left})`,
            'amount',
          );
        }
        const refund = store.refunds.insert(
          buildRefund(clock, charge, {
            amount,
            reason: params.reason ?? null,
            metadata: mergeMetadata({}, params.metadata),
          }),
        );
        charge.amount_refunded += amount;
        charge.refunded = charge.amount_refunded === charge.amount;
        deps.emit('refund.created', refund);
        deps.emit('charge.refunded', charge);
        return refund;
      },
    ),
    endpoint(
      'get',
      '/refunds',
      {
        ...pageParameters,
        charge: text().optional(),
        created: range,
        payment_intent: text().optional(),
      },
      ({ charge, payment_intent: intent, created, ...page }) => {
        const refunds = store.refunds
          .newestFirst()
          .filter(
            (found) => isWanted(found.charge, charge) && isWanted(found.payment_intent, intent),
          )
          .filter((found) => isInRange(found.created, created));
        return toPage('/v1/refunds', refunds, page);
      },
    ),
    retrieve('/refunds', store.refunds),

    list('/disputes', store.disputes),
    retrieve('/disputes', store.disputes),
    endpoint(
      'post',
      '/disputes/:id',
      { evidence: z.record(z.string(), z.unknown()).optional(), submit: flag.optional(), metadata },
      ({ evidence, submit = true }, id) => {
        const dispute = store.disputes.get(id);
        if (dispute.status !== 'needs_response')
          throw invalidRequest('This dispute no longer accepts evidence.');
        Object.assign(dispute.evidence, evidence);
        dispute.evidence_details.has_evidence = true;
        if (submit) {
          dispute.evidence_details.submission_count += 1;
          dispute.status = 'under_review';
        }
        deps.emit('charge.dispute.updated', dispute);
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
      deps.emit('charge.dispute.closed', dispute);
      return dispute;
    }),

    endpoint('post', '/payment_methods/:id/attach', { customer: text() }, ({ customer }, id) => {
      store.customers.get(customer, 'customer');
      const number = Object.hasOwn(TEST_METHODS, id) ? TEST_METHODS[id] : undefined;
      if (number === undefined) throw missing('PaymentMethod', id);
      return store.paymentMethods.insert(
        buildPaymentMethod(clock, { customer, last4: number.slice(-4) }),
      );
    }),
  ];
}
