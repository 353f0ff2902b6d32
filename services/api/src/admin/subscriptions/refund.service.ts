import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/process/logger';
import { formatMoney } from '@site/schema/money';
import type { CallSent } from '@site/schema/calls/calls';
import type { RefundAnswer, RefundBody } from '@site/schema/calls/subscriptions';
import { normaliseEmail } from '@site/schema/email';
import type Stripe from 'stripe';
import { fieldProblem, problem } from '../../http/problem.ts';
import { findIntent, readCredited, readRefund } from '../../billing/reading/invoice-reading.ts';
import { RETURNED_NOTHING } from '../../billing/reading/payment-snapshots.ts';
import {
  isStripeError,
  isStripeUnreachable,
  orMissing,
  readMissingPermission,
  toLoggedFailure,
  toLoggedStripeError,
} from '../../stripe/stripe-failure.ts';
import { findOwner } from '../../corrections/correction.service.ts';
import {
  findInvoiceOwner,
  findPaidInvoice,
  findRefusingDispute,
} from '../../billing/storing/payment.repository.ts';
import { lockOwner, readDatabaseClock } from '../../billing/storing/subscription.repository.ts';
import { storeReading } from '../../billing/storing/store-reading.ts';
import type { StripeDeps } from '../../billing/storing/payer-lead.service.ts';
import { insertNote } from '../leads/note.repository.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { askOnce, carryOut, storeResult, stripeFailing } from '../../acts/act.ts';
import type { Asked } from '../../acts/act.ts';
import { OPERATOR_REQUEST } from '../../stripe/repeatable-call.ts';

type RefundPreview = CallSent<'GET /api/admin/subscriptions/:id/refund'>;
type Refundable = RefundPreview & { paymentIntent: string; refunds: Stripe.Refund[] };

/** A payment for a subscription: this invoice, or the latest. */
export type Payment = { stripeSubscriptionId: string; invoiceId?: string | undefined };

/** Reads the refundable rest of a paid invoice. Throws 404, 409 if nothing was paid, 503. */
export async function previewRefund(deps: StripeDeps, payment: Payment): Promise<RefundPreview> {
  await findOwner(deps.db, payment.stripeSubscriptionId);
  const {
    paymentIntent: _,
    refunds: __,
    ...preview
  } = await askStripeForOperator(deps.log, () => readRefundable(deps, payment));
  return preview;
}

/**
 * Refunds a paid invoice, whole or in part, and stores the refund as its event will. Ends nothing,
 * because cancelling is a separate decision. Throws as `previewRefund` does, 409 for a disputed
 * payment, and 422 for more than is left or without a key.
 */
export async function refund(
  deps: StripeDeps,
  { operator, key }: Asked,
  payment: Payment,
  { amountPence, reason = 'requested_by_customer', note, cancel }: Omit<RefundBody, 'invoiceId'>,
): Promise<RefundAnswer> {
  if (key === undefined)
    throw fieldProblem('Idempotency-Key', 'A refund needs a key, so that a repeat refunds nothing');
  const { stripeSubscriptionId: subject } = payment;
  const { stripe, log } = deps;
  // Chosen first, because a repeat after the next payment is another request.
  const invoiceId = payment.invoiceId ?? (await findPaidInvoice(deps.db, subject, undefined))?.id;
  const made = await carryOut<{ subject: string }, RefundAnswer>(deps, {
    operator,
    key,
    request: [
      'refund',
      { stripeSubscriptionId: subject, invoiceId, amountPence, reason, note, cancel },
    ],
    action: 'refund',
    detail: reason === 'duplicate' ? { reason } : {},
    lock: (trx) => lockOwned(trx, subject),
    ask: ({ requestKey }) =>
      askStripeForOperator(log, async () => {
        const { left, currency, invoice, dispute, paymentIntent, refunds } = await readRefundable(
          deps,
          { stripeSubscriptionId: subject, invoiceId },
        );
        const find = (among: Stripe.Refund[]) =>
          among.find(({ metadata }) => metadata?.[OPERATOR_REQUEST] === requestKey) ?? null;
        const earlier = find(refunds);
        if (earlier) return toAnswer(earlier, invoice);
        if (dispute !== null) throw paymentDisputed();
        const amount = amountPence ?? left;
        if (left === 0)
          throw problem('nothing-to-refund', { detail: 'This payment was refunded in full.' });
        if (amount > left)
          throw fieldProblem(
            'amountPence',
            `At most ${formatMoney(left, currency)} is left to refund`,
          );
        const metadata = { [OPERATOR_REQUEST]: requestKey };
        const created = await askOnce<Stripe.Refund>(
          requestKey,
          (options) =>
            stripe.refunds.create(
              { payment_intent: paymentIntent, amount, reason, metadata },
              options,
            ),
          async () => find(await listRefunds(stripe, paymentIntent)),
        );
        return toAnswer(created, invoice);
      }),
    async store(trx, answer, { requestKey }) {
      const { id, amountPence: pence, currency } = answer;
      const email = (await lockOwner(trx, subject))?.email ?? null;
      const isFirst = await storeResult(trx, requestKey, answer);
      if (isFirst && note !== undefined && email !== null) {
        const emailNormalised = normaliseEmail(email);
        await insertNote(trx, { id: deps.newId(), emailNormalised, text: note, operator });
      }
      return { refund: id, pence, currency };
    },
  });
  await storeNow(deps, made.id);
  return made;
}

/** Locks a subscription and its payer. Throws 404 if it is unknown, or the payer was erased. */
export async function lockOwned(trx: Database, id: string): Promise<{ subject: string }> {
  const owner = await lockOwner(trx, id);
  if (!owner?.email)
    throw problem('not-found', { detail: 'There is no subscription with this id.' });
  return { subject: id };
}

const toAnswer = (
  { id, status, amount, currency }: Stripe.Refund,
  invoice: string,
): RefundAnswer => ({
  id,
  status: status ?? 'pending',
  amountPence: amount,
  currency,
  invoice,
});

async function readRefundable({ db, stripe }: StripeDeps, payment: Payment): Promise<Refundable> {
  const { stripeSubscriptionId, invoiceId } = payment;
  const invoice = await findPaidInvoice(db, stripeSubscriptionId, invoiceId);
  const paymentIntent =
    invoice && (await findIntent(stripe, { invoice: invoice.id, status: 'paid' }));
  if (!invoice || !paymentIntent) {
    throw problem('nothing-to-refund', { detail: 'Nothing was paid yet for this subscription.' });
  }
  const refunds = await listRefunds(stripe, paymentIntent);
  const refundedPence = refunds
    .filter(({ status }) => !RETURNED_NOTHING.has(status ?? ''))
    .reduce((sum, { amount }) => sum + amount, 0);
  return {
    invoice: invoice.number ?? invoice.id,
    paidPence: invoice.paidPence,
    paidAt: invoice.paidAt,
    currency: invoice.currency,
    refundedPence,
    left: Math.max(0, invoice.paidPence - refundedPence - (await readCredited(stripe, invoice.id))),
    dispute: await findRefusingDispute(db, invoice.id),
    paymentIntent,
    refunds,
  };
}

const listRefunds = async ({ refunds }: Stripe, paymentIntent: string) =>
  (await refunds.list({ payment_intent: paymentIntent, limit: 100 })).data;

/** Stores the refund without waiting for its event. If that fails, the event stores it. */
async function storeNow(deps: StripeDeps, refundId: string): Promise<void> {
  try {
    const reading = await readRefund(deps.stripe, refundId, await readDatabaseClock(deps.db));
    await storeReading(deps, reading ? [reading] : []);
  } catch (err) {
    deps.log.warn(toLoggedFailure(err), 'refund made but not stored yet, its event will store it');
  }
}

const paymentDisputed = (cause?: unknown) =>
  problem(
    'payment-disputed',
    { detail: 'Stripe decides, so it cannot be refunded here.' },
    { cause },
  );

/**
 * Asks Stripe for an invoice's URL, and records the operator's request. A stored URL expires 30
 * days after the invoice is due. Throws 404 for an unknown invoice, for an erased person, and
 * without a page. Throws 503 if Stripe is unreachable.
 */
export async function findInvoicePage(
  { db, stripe, log }: StripeDeps,
  operator: string,
  id: string,
): Promise<string> {
  const subject = await findInvoiceOwner(db, id);
  if (subject === null)
    throw problem('not-found', { detail: 'There is no such invoice, or its payer was erased.' });
  const url = (await askStripeForOperator(log, () => orMissing(stripe.invoices.retrieve(id))))
    ?.hosted_invoice_url;
  if (!url) throw problem('not-found', { detail: 'Stripe has no page for this invoice.' });
  await recordAction(db, { operator, action: 'open-invoice', subject, detail: { invoice: id } });
  return url;
}

/**
 * Runs a call to Stripe. Throws 503 if Stripe is unreachable, and 409 with Stripe's reason if it
 * refuses.
 */
export async function askStripeForOperator<T>(log: Logger, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isStripeError(error)) throw error;
    log.warn(toLoggedStripeError(error), 'stripe did not do what an operator asked for');
    // The dispute's event may not have arrived yet.
    if (error.code === 'charge_disputed') throw paymentDisputed(error);
    if (!isStripeUnreachable(error)) {
      const permission = readMissingPermission(error);
      const why =
        permission === null
          ? (error.code ?? error.type)
          : `the key lacks a permission, ${permission}`;
      throw problem(
        'stripe-refused',
        {
          detail:
            `Stripe refused, and nothing was changed (${why}). Stripe’s dashboard has the ` +
            'reason.',
        },
        { cause: error },
      );
    }
    throw stripeFailing(error);
  }
}
