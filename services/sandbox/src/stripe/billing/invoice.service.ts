import { epochSeconds } from '../../clock.ts';
import { discountPence } from '../catalog.ts';
import type { Endpoint } from '../wire/endpoint.ts';
import { endpoint, list } from '../wire/endpoint.ts';
import { flag } from '../wire/parameters.ts';
import { cardDeclined, invalidRequest } from '../wire/stripe-fault.ts';
import type { BillingDeps } from './billing.store.ts';
import type { Customer } from './customer.ts';
import type { BillingReason, Invoice } from './invoice.ts';
import { buildInvoice } from './invoice.ts';
import { newId } from '../wire/objects.ts';
import type { PaymentMethod } from './customer.ts';
import {
  buildBalanceTransaction,
  buildCharge,
  buildDispute,
  buildInvoicePayment,
} from './payment.ts';
import type { Charge } from './payment.ts';
import type { Subscription } from './subscription.ts';
import { fullPence } from './subscription.ts';
import { declineCodeOf, isCharged, outcomeOf } from './test-cards.ts';

const DAY_SECONDS = 24 * 60 * 60;
/** Days before each retry of a failed charge. Dunning ends after the last. */
const RETRY_DAYS = [3, 5, 7];

/**
 * Bills a subscription's current period: drafts, finalises and charges an invoice. A failed charge
 * leaves the invoice open for a retry and the subscription past due. A failed first charge leaves
 * it incomplete, without a retry. The caller emits the subscription's event.
 */
export function billPeriod(
  deps: BillingDeps,
  subscription: Subscription,
  billingReason: BillingReason,
  { isAuthenticated = false } = {},
): Invoice {
  const customer = deps.store.customers.get(subscription.customer);
  const invoice = deps.store.invoices.insert(
    buildInvoice(deps.clock, {
      customer,
      subscription,
      billingReason,
      discountPence: currentDiscountPence(deps, subscription),
    }),
  );
  customer.balance = invoice.ending_balance;
  subscription.latest_invoice = invoice.id;
  if (invoice.subtotal > 0) endOnce(deps, subscription);
  deps.emit('invoice.created', invoice);
  finalize(deps, invoice, customer);
  if (subscription.pause_collection) {
    voidInvoice(deps, invoice);
    return invoice;
  }
  const isPaid = collect(deps, invoice, subscription, { isAuthenticated });
  if (subscription.status !== 'trialing') {
    const unpaid = billingReason === 'subscription_create' ? 'incomplete' : 'past_due';
    subscription.status = isPaid ? 'active' : unpaid;
  }
  if (subscription.status === 'incomplete') invoice.next_payment_attempt = null;
  return invoice;
}

/** Attempts to charge an open invoice. Returns true if it is paid. */
export function collect(
  deps: BillingDeps,
  invoice: Invoice,
  subscription: Subscription,
  { isAuthenticated = false, isManual = false } = {},
): boolean {
  const now = epochSeconds(deps.clock);
  if (invoice.amount_due > 0) {
    // By hand, only the first attempt counts: the others are the schedule's.
    const isScheduled = !isManual || invoice.attempt_count === 0;
    if (isScheduled) invoice.attempt_count += 1;
    const method = deps.store.paymentMethods.get(subscription.default_payment_method);
    const outcome = outcomeOf(method.card.last4);
    if (!isCharged(outcome, isAuthenticated)) {
      const days = RETRY_DAYS[invoice.attempt_count - 1];
      if (isScheduled)
        invoice.next_payment_attempt = days === undefined ? null : now + days * DAY_SECONDS;
      charge(deps, invoice, method, declineCodeOf(outcome));
      deps.emit('invoice.payment_failed', invoice);
      return false;
    }
    const made = charge(deps, invoice, method, null);
    markPaid(deps, invoice);
    if (outcome === 'disputed') {
      made.disputed = true;
      deps.emit(
        'charge.dispute.created',
        deps.store.disputes.insert(buildDispute(deps.clock, made)),
      );
    }
    return true;
  }
  markPaid(deps, invoice);
  return true;
}

/** Stores an attempt to charge an invoice under its one payment. */
function charge(
  { store, clock }: BillingDeps,
  invoice: Invoice,
  method: PaymentMethod,
  declineCode: string | null,
): Charge {
  const earlier = store.invoicePayments.snapshot().find((found) => found.invoice === invoice.id);
  const intent = earlier?.payment.payment_intent ?? newId('pi');
  const made = store.charges.insert(buildCharge(clock, invoice, method, { intent, declineCode }));
  if (made.paid)
    made.balance_transaction = store.balanceTransactions.insert(
      buildBalanceTransaction(clock, made),
    ).id;
  const payment = buildInvoicePayment(clock, invoice, made);
  if (earlier) Object.assign(earlier, { ...payment, id: earlier.id });
  else store.invoicePayments.insert(payment);
  return made;
}

/**
 * Pays an open invoice now, as an owner or subscriber can, by card or outside Stripe. Throws a card
 * error if the card is declined.
 */
function payInvoice(deps: BillingDeps, invoice: Invoice, isOutside: boolean): Invoice {
  mustBeOpen(invoice);
  const subscription = deps.store.subscriptions.find(
    invoice.parent.subscription_details.subscription,
  );
  if (!subscription) throw invalidRequest('The invoice has no subscription.');
  if (isOutside) markPaid(deps, invoice);
  else if (!collect(deps, invoice, subscription, { isManual: true })) throw cardDeclined();
  const { status } = subscription;
  if (status === 'past_due' || status === 'unpaid' || status === 'incomplete') {
    subscription.status = 'active';
    deps.emit('customer.subscription.updated', subscription, { status });
  }
  return invoice;
}

function finalize(deps: BillingDeps, invoice: Invoice, customer: Customer): void {
  const { invoice_prefix: prefix, next_invoice_sequence: sequence } = customer;
  customer.next_invoice_sequence += 1;
  invoice.status = 'open';
  invoice.number = `${prefix}-${String(sequence).padStart(4, '0')}`;
  invoice.status_transitions.finalized_at = epochSeconds(deps.clock);
  invoice.hosted_invoice_url = toInvoicePage(deps, invoice.id);
  deps.emit('invoice.finalized', invoice);
}

/**
 * Returns a new URL of an invoice's page. Like Stripe's, it expires, and each reading of the
 * invoice gives a new URL.
 */
function toInvoicePage(deps: BillingDeps, id: string): string {
  return `${deps.publicUrl()}/i/${id}/${epochSeconds(deps.clock)}`;
}

function mustBeOpen({ status }: Invoice): void {
  if (status === 'paid')
    throw invalidRequest('Invoice is already paid', undefined, 'invoice_already_paid');
  if (status !== 'open') throw invalidRequest(`This invoice is ${status}, not open.`);
}

/** Marks an invoice as paid, with what was due. */
export function markPaid(deps: BillingDeps, invoice: Invoice): void {
  invoice.status = 'paid';
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = epochSeconds(deps.clock);
  deps.emit('invoice.paid', invoice);
}

/** Closes an open invoice that nobody must pay any more. */
export function voidInvoice(deps: BillingDeps, invoice: Invoice): void {
  mustBeOpen(invoice);
  invoice.status = 'void';
  invoice.status_transitions.voided_at = epochSeconds(deps.clock);
  deps.emit('invoice.voided', invoice);
}

/** Removes discounts that apply once: the subscription's price is whole again. */
function endOnce({ store }: BillingDeps, subscription: Subscription): void {
  subscription.discounts = subscription.discounts.filter(
    (id) => store.redemptions.find(id)?.coupon.duration !== 'once',
  );
}

/** Returns the discounts on the current period. */
function currentDiscountPence({ store }: BillingDeps, { items, discounts }: Subscription): number {
  const full = fullPence(items.data);
  const left = discounts.reduce((pence, id) => {
    const coupon = store.redemptions.find(id)?.coupon;
    return coupon ? pence - discountPence(coupon, pence) : pence;
  }, full);
  return full - left;
}

export function invoiceEndpoints(deps: BillingDeps): Endpoint[] {
  const { invoices } = deps.store;
  return [
    list('/invoices', invoices),
    endpoint('get', '/invoices/:id', {}, (_params, id) => {
      const invoice = invoices.get(id);
      if (invoice.hosted_invoice_url !== null) invoice.hosted_invoice_url = toInvoicePage(deps, id);
      return invoice;
    }),
    endpoint(
      'post',
      '/invoices/:id/pay',
      { paid_out_of_band: flag.default(false) },
      ({ paid_out_of_band: isOutside }, id) => payInvoice(deps, invoices.get(id), isOutside),
    ),
    endpoint('post', '/invoices/:id/void', {}, (_params, id) => {
      voidInvoice(deps, invoices.get(id));
      return invoices.get(id);
    }),
    endpoint('post', '/invoices/:id/mark_uncollectible', {}, (_params, id) => {
      const invoice = invoices.get(id);
      mustBeOpen(invoice);
      invoice.status = 'uncollectible';
      invoice.next_payment_attempt = null;
      deps.emit('invoice.marked_uncollectible', invoice);
      return invoice;
    }),
  ];
}
