import type { CheckoutStateAnswer } from '@site/schema/calls/visitor';
import { orMissing } from '../stripe/stripe-failure.ts';
import { readCheckout } from '../billing/reading/checkout-reading.ts';
import type { CompleteCheckout } from '../billing/reading/checkout-reading.ts';
import { toCheckoutReading } from '../billing/reading/stripe-reading.ts';
import { storeReading } from '../billing/storing/store-reading.ts';
import { LIVE_STATUSES } from '../billing/storing/payer-lead.service.ts';
import type { CaptureDeps } from '../leads/lead.service.ts';
import { readDatabaseClock } from '../billing/storing/subscription.repository.ts';
import { askStripeForVisitor } from '../checkout/checkout.service.ts';
import type { CheckoutDeps } from '../checkout/checkout.service.ts';
import { callOptions } from '../checkout/open-session.ts';

export type CheckoutStateDeps = Pick<CheckoutDeps, 'stripe' | 'checkoutDeadlineMs'> & CaptureDeps;

type Receipt = Extract<CheckoutStateAnswer, { state: 'confirmed' }>['receipt'];

/** Stripe's checkout ids. Any other id is "not found" without a request. */
const SESSION_ID = /^cs_[A-Za-z0-9_]{1,200}$/;

/**
 * Reads a checkout from Stripe. Stores a complete checkout before confirming it, like the webhook,
 * so either may come first. An open or expired checkout is unfinished. Unknown and other products'
 * checkouts are not found. Unless `isOwn`, masks name and email, and leaves out the URL of Stripe's
 * page, which shows the email.
 */
export async function readCheckoutState(
  deps: CheckoutStateDeps,
  sessionId: string,
  isOwn: boolean,
): Promise<CheckoutStateAnswer> {
  if (!SESSION_ID.test(sessionId)) return { state: 'not-found' };
  const readAt = await readDatabaseClock(deps.db);
  const checkout = await askStripeForVisitor(deps, (deadline) =>
    orMissing(readCheckout(deps.stripe, sessionId, readAt, callOptions(deadline))),
  );
  if (checkout === null || checkout === 'foreign') return { state: 'not-found' };
  if (checkout.state === 'expired') return { state: 'unfinished', url: null, isExpired: true };
  if (checkout.state === 'waiting') {
    if (checkout.isComplete) return { state: 'processing' };
    return { state: 'unfinished', url: isOwn ? checkout.url : null, isExpired: false };
  }
  // The webhook has already stored an ended subscription, and an old receipt must not restore an
  // erased person.
  if (LIVE_STATUSES.has(checkout.subscription.status))
    await storeReading(deps, [toCheckoutReading(checkout)]);
  const receipt = toReceipt(checkout);
  return {
    state: 'confirmed',
    receipt: isOwn ? receipt : masked(receipt),
    ...(checkout.operatorRequest !== null && { isPaymentLink: true }),
  };
}

/** Keeps the first letters: enough to recognise one's own name, too few to learn another's. */
function masked(receipt: Receipt): Receipt {
  const mask = (text: string) => `${text.slice(0, 1)}•••`;
  return {
    ...receipt,
    name: receipt.name && mask(receipt.name),
    email: receipt.email && receipt.email.split('@').map(mask).join('@'),
    vat: receipt.vat && { ...receipt.vat, taxIds: receipt.vat.taxIds.map(mask) },
  };
}

function toReceipt({
  name,
  email,
  paidTodayPence,
  vat,
  createdAt,
  subscription,
}: CompleteCheckout): Receipt {
  return {
    name,
    email,
    interval: subscription.plan,
    amountPence: subscription.amountPence,
    paidTodayPence,
    startedAt: (subscription.startedAt ?? createdAt).toISOString(),
    firstChargeAt: subscription.trialEndsAt?.toISOString() ?? null,
    vat,
  };
}
