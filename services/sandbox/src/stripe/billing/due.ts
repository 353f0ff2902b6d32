import { epochSeconds } from '../../clock.ts';
import { changedValues } from '../wire/changed-values.ts';
import { expireCheckout } from '../checkout/checkout-session.service.ts';
import { billPeriod, collect } from './invoice.service.ts';
import type { Invoice } from './invoice.store.ts';
import type { StripeDeps } from '../stripe.store.ts';
import type { Subscription } from './subscription.store.ts';
import { addInterval } from './subscription.store.ts';

/*
 * What time does to an account: sessions expire, trials end, periods renew, failed charges are tried again.
 * Each thing happens at its own moment and in order, however far the clock is moved at once.
 */

const REMINDER_SECONDS = 3 * 24 * 60 * 60;

type Moment = { at: number; act: () => void };

/** Moves the account's clock to `target` (seconds since 1970) and does all that falls due on the way. */
export function advanceTo(deps: StripeDeps, target: number): void {
  for (;;) {
    const next = earliestMoment(deps, target);
    if (!next) break;
    if (next.at > epochSeconds(deps.clock)) deps.store.clock.setNow(next.at);
    next.act();
    deps.store.touched();
  }
  if (target <= epochSeconds(deps.clock)) return;
  deps.store.clock.setNow(target);
  deps.store.touched();
}

/** Does what has fallen due by now. */
export function runDue(deps: StripeDeps): void {
  advanceTo(deps, epochSeconds(deps.clock));
}

function earliestMoment(deps: StripeDeps, until: number): Moment | null {
  let earliest: Moment | null = null;
  const offer = (at: number | null, act: () => void) => {
    if (at !== null && at <= until && (earliest === null || at < earliest.at)) earliest = { at, act };
  };
  for (const record of deps.store.checkouts.snapshot()) {
    if (record.session.status === 'open') offer(record.session.expires_at, () => expireCheckout(deps, record));
  }
  for (const subscription of deps.store.subscriptions.snapshot()) {
    if (['canceled', 'incomplete_expired'].includes(subscription.status)) continue;
    offer(reminderAt(deps, subscription), () => remind(deps, subscription));
    offer(subscription.cancel_at, () => end(deps, subscription, subscription.cancellation_details.reason));
    if (subscription.status !== 'paused') offer(periodEnd(subscription), () => renew(deps, subscription));
  }
  for (const invoice of deps.store.invoices.snapshot()) {
    if (invoice.status === 'open') offer(invoice.next_payment_attempt, () => retry(deps, invoice));
  }
  return earliest;
}

function periodEnd({ items }: Subscription): number | null {
  return items.data[0]?.current_period_end ?? null;
}

/** Three days before a trial ends; null once that was told. */
function reminderAt({ store }: StripeDeps, subscription: Subscription): number | null {
  const { id, status, trial_end: trialEnd, created } = subscription;
  if (status !== 'trialing' || trialEnd === null || store.billing.remindedOf[id] === trialEnd) return null;
  return Math.max(trialEnd - REMINDER_SECONDS, created);
}

function remind(deps: StripeDeps, subscription: Subscription): void {
  deps.store.billing.remindedOf[subscription.id] = subscription.trial_end;
  deps.emit('customer.subscription.trial_will_end', subscription);
}

function renew(deps: StripeDeps, subscription: Subscription): void {
  const before = structuredClone(subscription);
  const isTrialOver = subscription.status === 'trialing';
  if (isTrialOver && subscription.default_payment_method === null) {
    const behavior = subscription.trial_settings.end_behavior.missing_payment_method;
    if (behavior === 'cancel') return end(deps, subscription, 'payment_failed');
    if (behavior === 'pause') return pause(deps, subscription);
  }
  for (const item of subscription.items.data) {
    item.current_period_start = item.current_period_end;
    item.current_period_end = addInterval(item.current_period_start, item.price.recurring);
  }
  // Nothing more is tried once the dunning is over, but time goes on.
  if (subscription.status !== 'unpaid') {
    if (isTrialOver) subscription.status = 'active';
    billPeriod(deps, subscription, 'subscription_cycle');
  }
  deps.emit('customer.subscription.updated', subscription, changedValues(before, subscription));
}

function retry(deps: StripeDeps, invoice: Invoice): void {
  const subscription = deps.store.subscriptions.find(invoice.parent.subscription_details.subscription);
  if (!subscription || subscription.status === 'canceled') {
    invoice.next_payment_attempt = null;
    return;
  }
  const { status } = subscription;
  const isPaid = collect(deps, invoice, subscription);
  if (isPaid) subscription.status = 'active';
  else if (invoice.next_payment_attempt === null) {
    // The account's setting for when every try has failed.
    if (deps.store.billing.afterDunning === 'cancel') return end(deps, subscription, 'payment_failed');
    subscription.status = 'unpaid';
  }
  if (subscription.status !== status) deps.emit('customer.subscription.updated', subscription, { status });
}

function end(deps: StripeDeps, subscription: Subscription, reason: string | null): void {
  const now = epochSeconds(deps.clock);
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  subscription.cancellation_details.reason = reason;
  deps.emit('customer.subscription.deleted', subscription);
}

function pause(deps: StripeDeps, subscription: Subscription): void {
  subscription.status = 'paused';
  deps.emit('customer.subscription.paused', subscription);
}
