import { epochSeconds } from '../../clock.ts';
import type { BillingDeps } from './billing.store.ts';
import type { Subscription } from './subscription.store.ts';

const REMINDER_SECONDS = 3 * 24 * 60 * 60;

/** Returns the time three days before a trial ends. Null if the reminder was sent or there is no trial. */
export function reminderAt({ store }: BillingDeps, subscription: Subscription): number | null {
  const { id, status, trial_end: trialEnd, created } = subscription;
  if (status !== 'trialing' || trialEnd === null || store.billing.remindedOf[id] === trialEnd)
    return null;
  return Math.max(trialEnd - REMINDER_SECONDS, created);
}

/** True if a changed trial ends within three days or has ended. Stripe then sends the reminder at once. */
export function isTrialEndNear(
  { clock }: BillingDeps,
  { trial_end: trialEnd }: Subscription,
): boolean {
  return trialEnd !== null && trialEnd - epochSeconds(clock) < REMINDER_SECONDS;
}

export function remind({ store, emit }: BillingDeps, subscription: Subscription): void {
  store.billing.remindedOf[subscription.id] = subscription.trial_end;
  emit('customer.subscription.trial_will_end', subscription);
}
