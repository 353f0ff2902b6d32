import type { Database } from '@site/platform/database/connect';
import { lockFound } from '@site/platform/people/person';
import { activatePayer } from '@site/platform/people/tier';
import { tidyEmail } from '@site/schema/email';
import { findPayer } from './payer-lead.repository.ts';
import type { Payer } from './payer-lead.repository.ts';
import {
  captureReceiver,
  captureUnknown,
  LIVE_STATUSES,
  sendAgain,
  storingIn,
} from './payer-lead.service.ts';
import type { CaptureDeps } from '../../leads/lead.service.ts';
import { storeCheckout } from './checkout.repository.ts';
import { storeCharge, storeDispute, storeInvoice } from './payment.repository.ts';
import type { CheckoutReading } from '../reading/checkout-reading.ts';
import { NO_ATTEMPT } from '../reading/payment-snapshots.ts';
import type { StripeReading } from '../reading/stripe-reading.ts';
import type { SubscriptionSnapshot } from '../reading/subscription-reading.ts';
import {
  correctPayer,
  endDeletedSubscription,
  isErased,
  linkCheckout,
  linkLead,
  lockSubscription,
  readOwner,
  storeSnapshot,
} from './subscription.repository.ts';
import type { Owner } from './subscription.repository.ts';
import { recordCancellation, recordRequest } from '../../acts/act.ts';
import { recordStripeEvent } from './event.repository.ts';
import type { StripeEvent } from './event.repository.ts';

/*
 * Stores readings of Stripe. Events, the thank-you page, acts, the watcher and the nightly reading
 * all end here, in any order and any number of times. An older reading than the stored one changes
 * nothing. Before: `event-reading.ts`. Next: `subscription.repository.ts`.
 */

export type ReadingOutcome = 'applied' | 'ignored' | 'repeated';

/**
 * Stores readings and the event that caused them, if any, in one transaction. Its person's locks
 * come first. Returns the event's outcome: a repeated event stores nothing, and an ignored one has
 * nothing of ours. The payer of a completed checkout is stored as a lead before that, so that no
 * failure loses an email.
 */
export async function storeReading(
  deps: CaptureDeps,
  readings: readonly StripeReading[],
  event: StripeEvent | null = null,
): Promise<ReadingOutcome> {
  for (const reading of readings) await capturePayer(deps, reading);
  const released: string[] = [];
  const result = await deps.db.transaction(async (trx) => {
    const found = await lockPayers(trx, readings);
    const isOurs = found.some(({ reading, owner }) => reading.subscription !== 'foreign' || owner);
    const outcome = await record(trx, event, isOurs ? 'applied' : 'ignored');
    if (outcome !== 'applied') return outcome;
    for (const each of found) released.push(...(await store(deps, trx, each)));
    for (const { reading } of found) await recordActs(trx, reading, event);
    return outcome;
  });
  void deps.syncQueue.wake(released.length);
  return result;
}

async function record(
  db: Database,
  event: StripeEvent | null,
  outcome: 'applied' | 'ignored',
): Promise<ReadingOutcome> {
  return event === null || (await recordStripeEvent(db, event, outcome)) ? outcome : 'repeated';
}

/** A reading with its stored owner and its payer. */
type Found = { reading: StripeReading; owner: Owner | undefined; payer: Payer };

/** Returns the fields by which a reading's lead and email are found. */
function nameOf({ subscription, checkout }: StripeReading, owner: Owner | undefined) {
  const read = subscription === 'foreign' ? null : subscription;
  // The first email stays until an operator changes it, but the checkout's own comes before a
  // customer's. A customer deleted at Stripe has no email.
  const kept = checkout && !owner?.emailCorrectedAt ? null : owner?.email;
  return {
    leadReference: checkout?.leadReference ?? read?.leadReference ?? null,
    email: kept ?? checkout?.email ?? read?.customerEmail ?? null,
    startedAt: checkout?.createdAt ?? null,
    checkoutIds: checkout ? [checkout.id, checkout.recoveredFrom].filter((id) => id !== null) : [],
  };
}

/**
 * Lists the ids of which an erased one makes a reading that of an erased person. A live or known
 * subscription is somebody's who is here, whosever lead it names.
 */
function toErasable(
  { stripeSubscriptionId, subscription, checkout }: StripeReading,
  owner: Owner | undefined,
): (string | null)[] {
  const read = subscription === 'foreign' ? null : subscription;
  if (owner?.email || (read && LIVE_STATUSES.has(read.status))) return [stripeSubscriptionId];
  return [
    stripeSubscriptionId,
    checkout?.id ?? null,
    checkout?.recoveredFrom ?? null,
    checkout?.leadReference ?? read?.leadReference ?? null,
  ];
}

/**
 * Stores a completed checkout's payer as a lead if necessary, in a transaction of its own. Its key
 * makes a repeat find the same lead. Throws for a checkout without an email.
 */
async function capturePayer(deps: CaptureDeps, reading: StripeReading): Promise<void> {
  const { stripeSubscriptionId, checkout } = reading;
  if (stripeSubscriptionId === null || checkout?.state !== 'complete') return;
  const owner = await readOwner(deps.db, stripeSubscriptionId);
  if (await isErased(deps.db, toErasable(reading, owner))) return;
  const named = nameOf(reading, owner);
  if (named.email === null) throw new Error(`checkout ${checkout.id} has no email`);
  await captureUnknown(deps, checkout, await findPayer(deps.db, named));
}

/**
 * Locks the subscriptions, then everybody named, and follows corrections. No lead of theirs can be
 * deleted until the transaction ends.
 */
async function lockPayers(trx: Database, readings: readonly StripeReading[]): Promise<Found[]> {
  const ids = readings.flatMap(({ stripeSubscriptionId: id }) => (id === null ? [] : [id]));
  for (const id of new Set(ids.toSorted())) await lockSubscription(trx, id);
  const { found } = await lockFound(trx, async (db) => {
    const all: Found[] = [];
    const emails: (string | null)[] = [];
    for (const reading of readings) {
      const { stripeSubscriptionId: id } = reading;
      const owner = id === null ? undefined : await readOwner(db, id);
      const named = nameOf(reading, owner);
      const payer = await findPayer(db, named);
      all.push({ reading, owner, payer });
      emails.push(named.email, payer.email, payer.leadEmail, owner?.email ?? null);
      emails.push(...(owner?.readers ?? []));
    }
    return { found: all, emails };
  });
  return found;
}

/**
 * Stores one reading. Links it to its lead, and stores a lead for a payer whom Beehiiv would not
 * learn of otherwise. Returns the leads that a payment sends again. A quarantined one is released,
 * because bots do not pay. Of an erased person, stores only the state and payments.
 */
async function store(
  deps: CaptureDeps,
  trx: Database,
  { reading, owner, payer }: Found,
): Promise<string[]> {
  const { readAt, stripeSubscriptionId: id, subscription, checkout } = reading;
  if (subscription === 'foreign') {
    if (id !== null && owner) await endDeletedSubscription(trx, id, readAt);
    return [];
  }
  if (await isErased(trx, toErasable(reading, owner))) {
    if (subscription) await storeSubscription(deps, trx, withoutPerson(subscription), ERASED);
    if (id !== null) await storePayments(deps, trx, id, reading, true);
    return [];
  }
  const captured = await captureIn(deps, trx, reading, payer);
  const leadId = payer.leadId ?? captured;
  if (subscription) await storeSubscription(deps, trx, subscription, { ...payer, leadId });
  const isComplete = checkout && (await storeEnd(trx, checkout, { ...payer, leadId }));
  const isPaid = id !== null && (await storePayments(deps, trx, id, reading, false));
  // A payer whose email arrives late begins then.
  if (id !== null && (owner?.isLive !== true || owner.email === null)) await activatePayer(trx, id);
  return isComplete || isPaid ? sendAgain(trx, payer.email, leadId) : [];
}

/** Stores a lead with the reading. One captured before may have been erased meanwhile. */
async function captureIn(
  deps: CaptureDeps,
  trx: Database,
  { subscription, checkout }: StripeReading,
  payer: Payer,
): Promise<string | null> {
  if (checkout?.state === 'complete') return captureUnknown(storingIn(trx, deps), checkout, payer);
  return subscription === null || subscription === 'foreign'
    ? null
    : captureReceiver(deps, trx, subscription, payer.email);
}

/**
 * Stores the end of a checkout, with its subscription or its recovery link. Returns true for the
 * first reading of a complete checkout.
 */
async function storeEnd(
  trx: Database,
  checkout: CheckoutReading,
  { email, leadId }: Pick<Payer, 'email' | 'leadId'>,
): Promise<boolean> {
  const { id, operatorRequest, offer, recoveredFrom, readAt } = checkout;
  if (operatorRequest !== null)
    await recordRequest(trx, operatorRequest, { detail: { until: checkout.endsAt } });
  if (checkout.state === 'complete' && email !== null) {
    const { stripeSubscriptionId } = checkout.subscription;
    await linkCheckout(trx, stripeSubscriptionId, { ...checkout, email: tidyEmail(email) });
  }
  const lost = checkout.state === 'expired' ? 'abandoned' : 'payment-failed';
  return storeCheckout(trx, {
    id,
    email,
    leadId,
    startedAt: checkout.createdAt,
    recoveredFrom,
    isPaymentLink: operatorRequest !== null,
    offer: checkout.state === 'complete' ? null : offer,
    readAt,
    state: checkout.state === 'complete' ? 'complete' : lost,
    recovery: checkout.state === 'expired' ? checkout.recovery : null,
  });
}

/** Stores what was paid, returned or disputed. Returns true for the first reading of a payment. */
async function storePayments(
  { log }: Pick<CaptureDeps, 'log'>,
  trx: Database,
  stripeSubscriptionId: string,
  { readAt, invoices = [], charge, dispute }: StripeReading,
  isOfErased: boolean,
): Promise<boolean> {
  let isNewlyPaid = false;
  for (const invoice of invoices) {
    const { feePence = null, availableAt = null } = invoice.attempt ?? {};
    // An erased person keeps no page, card or reason.
    const kept = isOfErased
      ? { pageUrl: null, attempt: { ...NO_ATTEMPT, feePence, availableAt } }
      : {};
    const isPaid = await storeInvoice(trx, { ...invoice, ...kept, stripeSubscriptionId, readAt });
    isNewlyPaid ||= isPaid;
  }
  if (!charge) return isNewlyPaid;
  const paid = { stripeSubscriptionId, invoiceId: charge.invoiceId, readAt };
  await storeCharge(trx, { ...charge, ...paid });
  if (dispute && (await storeDispute(trx, { ...dispute, ...paid, chargeId: charge.id })))
    log.error(
      { stripeSubscriptionId, dispute: dispute.id, reason: dispute.reason },
      'payment disputed',
    );
  return isNewlyPaid;
}

/** Records the acts of operators that a reading shows, unless Stripe's answer came first. */
async function recordActs(
  trx: Database,
  { subscription, charge }: StripeReading,
  event: StripeEvent | null,
): Promise<void> {
  if (subscription === null || subscription === 'foreign') return;
  for (const { id, amountPence: pence, currency, operatorRequest } of charge?.refunds ?? [])
    if (operatorRequest !== null)
      await recordRequest(trx, operatorRequest, { detail: { refund: id, pence, currency } });
  if (event?.request && event.type.startsWith('customer.subscription.'))
    await recordRequest(trx, event.request);
  if (subscription.status === 'canceled')
    await recordCancellation(trx, subscription.stripeSubscriptionId);
}

async function storeSubscription(
  { newId, log }: CaptureDeps,
  trx: Database,
  snapshot: SubscriptionSnapshot,
  { leadId, email, isCorrected }: Omit<Payer, 'leadEmail'>,
): Promise<void> {
  const isStored = await storeSnapshot(trx, {
    ...snapshot,
    id: newId(),
    email: email && tidyEmail(email),
  });
  const { stripeSubscriptionId, status, unreadParts } = snapshot;
  if (isStored) log.info({ stripeSubscriptionId, status }, 'subscription stored');
  if (unreadParts.length > 0)
    log.warn({ stripeSubscriptionId, unreadParts }, 'subscription stored in part');
  if (leadId === null) return;
  await linkLead(trx, stripeSubscriptionId, leadId);
  if (isCorrected && email !== null)
    await correctPayer(trx, { stripeSubscriptionId, email, leadId });
}

/** Leaves out what would name an erased person. */
const withoutPerson = (snapshot: SubscriptionSnapshot): SubscriptionSnapshot => ({
  ...snapshot,
  customerEmail: null,
  customerName: null,
  cancellationFeedback: null,
  latestInvoice: snapshot.latestInvoice && { ...snapshot.latestInvoice, paymentUrl: null },
});
const ERASED = { leadId: null, email: null, isCorrected: false };
