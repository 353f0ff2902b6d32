import { epochSeconds } from '../../clock.ts';
import { changedValues } from '../wire/changed-values.ts';
import type { BillingDeps } from './billing.store.ts';
import { dueRefunds } from './failing-refunds.ts';
import { billPeriod, collect, voidInvoice } from './invoice.service.ts';
import type { Invoice } from './invoice.store.ts';
import { endSubscription } from './subscription.service.ts';
import type { Subscription } from './subscription.store.ts';
import { addInterval } from './subscription.store.ts';
import { remind, reminderAt } from './trial-reminder.ts';

// Carries out everything that falls due in billing as time passes. Before: advance.ts moves the
// clock from one moment to the next.

/** How long a subscription waits for its first payment. */
const FIRST_PAYMENT_SECONDS = 23 * 60 * 60;

/** Something that happens at a time, in seconds since 1970. */
export type Moment = { at: number; act: () => void };

/** Lists trial reminders, cancellations, renewals, retries of failed charges and failing refunds, in no order. */
export function dueInBilling(deps: BillingDeps): Moment[] {
  const { subscriptions, invoices } = deps.store;
  return [
    ...subscriptions.snapshot().flatMap((subscription) => dueIn(deps, subscription)),
    ...invoices
      .snapshot()
      .filter(({ status }) => status === 'open')
      .flatMap((invoice) => moment(invoice.next_payment_attempt, () => retry(deps, invoice))),
    ...dueRefunds(deps),
  ];
}

function dueIn(deps: BillingDeps, subscription: Subscription): Moment[] {
  const { status, cancel_at: cancelAt, cancellation_details: details, items } = subscription;
  if (status === 'canceled' || status === 'incomplete_expired') return [];
  if (status === 'incomplete') {
    return moment(subscription.created + FIRST_PAYMENT_SECONDS, () =>
      expireIncomplete(deps, subscription),
    );
  }
  const periodEnd = status === 'paused' ? null : (items.data[0]?.current_period_end ?? null);
  return [
    ...moment(reminderAt(deps, subscription), () => remind(deps, subscription)),
    ...moment(cancelAt, () => endSubscription(deps, subscription, details.reason)),
    ...moment(periodEnd, () => renew(deps, subscription)),
    ...moment(subscription.pause_collection?.resumes_at ?? null, () =>
      resumeCollection(deps, subscription),
    ),
  ];
}

function moment(at: number | null, act: () => void): Moment[] {
  return at === null ? [] : [{ at, act }];
}

function renew(deps: BillingDeps, subscription: Subscription): void {
  const before = structuredClone(subscription);
  const isTrialOver = subscription.status === 'trialing';
  if (isTrialOver && subscription.default_payment_method === null) {
    const behavior = subscription.trial_settings.end_behavior.missing_payment_method;
    if (behavior === 'cancel') return endSubscription(deps, subscription, 'payment_failed');
    if (behavior === 'pause') return pause(deps, subscription);
  }
  for (const item of subscription.items.data) {
    item.current_period_start = item.current_period_end;
    item.current_period_end = addInterval(item.current_period_start, item.price.recurring);
  }
  // An unpaid subscription is no longer charged, but its periods go on.
  if (subscription.status !== 'unpaid') {
    if (isTrialOver) subscription.status = 'active';
    billPeriod(deps, subscription, 'subscription_cycle');
  }
  deps.emit('customer.subscription.updated', subscription, changedValues(before, subscription));
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

function resumeCollection(deps: BillingDeps, subscription: Subscription): void {
  const { pause_collection } = subscription;
  subscription.pause_collection = null;
  deps.emit('customer.subscription.updated', subscription, { pause_collection });
}

function pause(deps: BillingDeps, subscription: Subscription): void {
  subscription.status = 'paused';
  deps.emit('customer.subscription.paused', subscription);
}
