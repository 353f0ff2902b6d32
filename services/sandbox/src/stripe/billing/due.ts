import { epochSeconds } from '../../clock.ts';
import { changedValues } from '../wire/objects.ts';
import type { BillingDeps } from './billing.store.ts';
import { billPeriod, collect, voidInvoice } from './invoice.service.ts';
import type { Invoice } from './invoice.ts';
import type { Charge, Refund } from './payment.ts';
import { endSubscription } from './subscription.service.ts';
import type { Subscription } from './subscription.ts';
import { addInterval, isOver } from './subscription.ts';
import { outcomeOf } from './test-cards.ts';

// Applies everything that falls due in billing as time passes. Before: advance.ts moves the clock
// from one moment to the next.

/** The time that a subscription waits for its first payment. */
const FIRST_PAYMENT_SECONDS = 23 * 60 * 60;
const REMINDER_SECONDS = 3 * 24 * 60 * 60;
const REFUND_FAILS_AFTER_SECONDS = 60 * 60;

/** Something that happens at a time, in seconds since 1970. */
export type Moment = { at: number; act: () => void };

/**
 * Lists trial reminders, cancellations, renewals, retries of failed charges and failing refunds, in
 * no order.
 */
export function dueInBilling(deps: BillingDeps): Moment[] {
  const { subscriptions, invoices, refunds } = deps.store;
  return [
    ...subscriptions.snapshot().flatMap((subscription) => dueIn(deps, subscription)),
    ...invoices
      .snapshot()
      .filter(({ status }) => status === 'open')
      .flatMap((invoice) => moment(invoice.next_payment_attempt, () => retry(deps, invoice))),
    ...refunds.snapshot().flatMap((refund) => failureOf(deps, refund)),
  ];
}

function dueIn(deps: BillingDeps, subscription: Subscription): Moment[] {
  const { status, cancel_at: cancelAt, cancellation_details: details, items } = subscription;
  if (isOver(subscription)) return [];
  if (status === 'incomplete') {
    return moment(subscription.created + FIRST_PAYMENT_SECONDS, () =>
      expireIncomplete(deps, subscription),
    );
  }
  return [
    ...moment(reminderAt(deps, subscription), () => remind(deps, subscription)),
    ...moment(cancelAt, () => endSubscription(deps, subscription, details.reason)),
    ...moment(items.data[0]?.current_period_end ?? null, () => renew(deps, subscription)),
  ];
}

function moment(at: number | null, act: () => void): Moment[] {
  return at === null ? [] : [{ at, act }];
}

function renew(deps: BillingDeps, subscription: Subscription): void {
  const before = structuredClone(subscription);
  const isTrialOver = subscription.status === 'trialing';
  for (const item of subscription.items.data) {
    item.current_period_start = item.current_period_end;
    item.current_period_end = addInterval(item.current_period_start, item.price.recurring);
  }
  // An unpaid subscription is no longer charged, but its periods continue.
  const isCharged = subscription.status !== 'unpaid';
  if (isTrialOver) subscription.status = 'active';
  const announced = structuredClone(subscription);
  const emitUpdated = (since: Subscription) =>
    deps.emit('customer.subscription.updated', subscription, changedValues(since, subscription));
  if (deps.isUpdatedFirst()) emitUpdated(before);
  if (isCharged) billPeriod(deps, subscription, 'subscription_cycle');
  if (!deps.isUpdatedFirst()) emitUpdated(before);
  else if (subscription.status !== announced.status) emitUpdated(announced);
}

function retry(deps: BillingDeps, invoice: Invoice): void {
  const subscription = deps.store.subscriptions.find(
    invoice.parent.subscription_details.subscription,
  );
  if (!subscription || subscription.status === 'canceled') {
    invoice.next_payment_attempt = null;
    return;
  }
  const { status } = subscription;
  const isPaid = collect(deps, invoice, subscription);
  if (isPaid) subscription.status = 'active';
  else if (invoice.next_payment_attempt === null) {
    if (deps.store.billing.afterDunning === 'cancel')
      return endSubscription(deps, subscription, 'payment_failed');
    subscription.status = 'unpaid';
  }
  if (subscription.status !== status)
    deps.emit('customer.subscription.updated', subscription, { status });
}

function expireIncomplete(deps: BillingDeps, subscription: Subscription): void {
  const invoice = deps.store.invoices.find(subscription.latest_invoice ?? '');
  if (invoice?.status === 'open') voidInvoice(deps, invoice);
  subscription.status = 'incomplete_expired';
  subscription.ended_at = epochSeconds(deps.clock);
  deps.emit('customer.subscription.updated', subscription, {
    status: 'incomplete',
    ended_at: null,
  });
}

/**
 * Returns the time three days before a trial ends. Null if the reminder was sent or there is no
 * trial.
 */
function reminderAt({ store }: BillingDeps, subscription: Subscription): number | null {
  const { id, status, trial_end: trialEnd, created } = subscription;
  const isDue = status === 'trialing' && trialEnd !== null;
  if (!isDue || store.billing.remindedOf[id] === trialEnd) return null;
  return Math.max(trialEnd - REMINDER_SECONDS, created);
}

function remind({ store, emit }: BillingDeps, subscription: Subscription): void {
  store.billing.remindedOf[subscription.id] = subscription.trial_end;
  emit('customer.subscription.trial_will_end', subscription);
}

/** Returns when a refund fails, if it will: the card's bank sends the money back. */
function failureOf(deps: BillingDeps, refund: Refund): Moment[] {
  const charge = deps.store.charges.get(refund.charge);
  const { card } = deps.store.paymentMethods.get(charge.payment_method);
  if (refund.status === 'failed' || outcomeOf(card.last4) !== 'refund fails') return [];
  return moment(refund.created + REFUND_FAILS_AFTER_SECONDS, () =>
    failRefund(deps, refund, charge),
  );
}

function failRefund(deps: BillingDeps, refund: Refund, charge: Charge): void {
  refund.status = 'failed';
  refund.failure_reason = 'expired_or_canceled_card';
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  deps.emit('refund.updated', refund);
  deps.emit('refund.failed', refund);
}
