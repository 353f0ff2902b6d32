import type { Database } from '@site/platform/database/connect';
import { lockFound, lockPeople } from '@site/platform/people/person';
import { activatePayer } from '@site/platform/people/tier';
import { tidyEmail } from '@site/schema/email';
import { findPayer } from './payer-lead.repository.ts';
import type { Payer } from './payer-lead.repository.ts';
import { captureReceiver, captureUnknown, sendAgain, storingIn } from './payer-lead.service.ts';
import type { CaptureDeps } from '../../leads/lead.service.ts';
import { storeCheckout } from './checkout.repository.ts';
import type { MoneyReading } from '../reading/invoice-reading.ts';
import { storeCharge, storeDispute, storeInvoice } from './payment.repository.ts';
import type { CheckoutReading, CompleteCheckout } from '../reading/checkout-reading.ts';
import type { LostCheckout, StripeReading } from '../reading/stripe-reading.ts';
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
import { recordCancellation, recordRequest } from '../../acts/act.ts';
import { recordEvent } from './event.repository.ts';
import type { StripeEvent } from './event.repository.ts';

/*
 * Stores readings from Stripe. The webhook and the thank-you page both end here, in any order and
 * any number of times. A reading older than the stored one changes nothing. Before:
 * `event-reading.ts`, `checkout-state.service.ts`. Next: `subscription.repository.ts`.
 */

export type ReadingOutcome = 'applied' | 'ignored' | 'repeated';

/**
 * Stores a reading and the event that caused it, if any, in one transaction. Returns the event's
 * outcome. A repeated event stores nothing. A null reading has nothing of ours.
 */
export async function applyReading(
  deps: CaptureDeps,
  reading: StripeReading | null,
  event: StripeEvent | null = null,
): Promise<ReadingOutcome> {
  switch (reading?.kind) {
    case undefined:
      return record(deps.db, event, 'ignored');
    case 'money':
      return applyMoney(deps, reading, event);
    case 'customer':
      return applyCustomer(deps, reading.subscriptions, event);
    case 'moved':
      return applyMoved(deps, reading, event);
    case 'checkout':
      return applyCheckout(deps, reading.checkout, event);
    case 'lost-checkout':
      return applyLostCheckout(deps, reading.checkout, event);
  }
}

async function record(
  db: Database,
  event: StripeEvent | null,
  outcome: 'applied' | 'ignored',
): Promise<ReadingOutcome> {
  return event === null || (await recordEvent(db, event, outcome)) ? outcome : 'repeated';
}

/** Stores subscriptions one by one. The event is recorded with the last, so that none is missed. */
async function applyCustomer(
  deps: CaptureDeps,
  subscriptions: SubscriptionSnapshot[],
  event: StripeEvent | null,
): Promise<ReadingOutcome> {
  const [subscription, ...others] = subscriptions;
  if (!subscription) return record(deps.db, event, 'ignored');
  for (const other of others) await applyMoney(deps, { subscription: other }, null);
  return applyMoney(deps, { subscription }, event);
}

/** Stores a subscription and the payment objects read with it. */
async function applyMoney(
  deps: CaptureDeps,
  reading: MoneyReading,
  event: StripeEvent | null,
): Promise<ReadingOutcome> {
  const { subscription, invoice, charge, dispute } = reading;
  const { stripeSubscriptionId, readAt } = subscription;
  let released: string[] = [];
  const result = await deps.db.transaction(async (trx) => {
    await lockSubscription(trx, stripeSubscriptionId);
    const outcome = await record(trx, event, 'applied');
    if (outcome === 'repeated') return outcome;
    // The first email stays until an operator changes it. A customer deleted at Stripe has no
    // email.
    const stored = await readOwner(trx, stripeSubscriptionId);
    const payer = await lockPayer(
      trx,
      { ...subscription, email: stored?.email ?? subscription.customerEmail, startedAt: null },
      stored?.readers,
    );
    const isOfErased = await isErased(trx, [stripeSubscriptionId]);
    if (isOfErased) await storeWithoutPerson(deps, trx, subscription);
    else {
      const capturedId = await captureReceiver(deps, trx, subscription, payer.email);
      await store(deps, trx, subscription, { ...payer, leadId: payer.leadId ?? capturedId });
    }
    const isNewlyPaid =
      invoice &&
      (await storeInvoice(trx, {
        ...invoice,
        pageUrl: isOfErased ? null : invoice.pageUrl,
        stripeSubscriptionId,
        readAt,
      }));
    if (isNewlyPaid && !isOfErased) released = await sendAgain(trx, payer.email, payer.leadId);
    if (charge) {
      const paid = { stripeSubscriptionId, invoiceId: charge.invoiceId, readAt };
      await storeCharge(trx, { ...charge, ...paid });
      if (dispute && (await storeDispute(trx, { ...dispute, ...paid, chargeId: charge.id })))
        deps.log.error(
          { stripeSubscriptionId, dispute: dispute.id, reason: dispute.reason },
          'payment disputed',
        );
    }
    await recordActs(trx, reading, event);
    // A payer whose email arrives late begins then.
    if (stored?.isLive !== true || stored.email === null)
      await activatePayer(trx, stripeSubscriptionId);
    return outcome;
  });
  void deps.syncQueue.wake(released.length);
  return result;
}

/** Ends a subscription that now belongs to another product. Ignores it if it never was ours. */
async function applyMoved(
  deps: CaptureDeps,
  { stripeSubscriptionId, readAt }: Pick<SubscriptionSnapshot, 'stripeSubscriptionId' | 'readAt'>,
  event: StripeEvent | null,
): Promise<ReadingOutcome> {
  return deps.db.transaction(async (trx) => {
    await lockSubscription(trx, stripeSubscriptionId);
    const owner = await readOwner(trx, stripeSubscriptionId);
    const outcome = await record(trx, event, owner === undefined ? 'ignored' : 'applied');
    if (owner === undefined || outcome === 'repeated') return outcome;
    await lockPeople(trx, [owner.email, ...owner.readers]);
    await endDeletedSubscription(trx, stripeSubscriptionId, readAt);
    return outcome;
  });
}

/**
 * Stores a completed checkout's subscription and links it to its lead. Stores a lead for a payer
 * without one. Releases a quarantined lead, because bots do not pay.
 */
async function applyCheckout(
  deps: CaptureDeps,
  checkout: CompleteCheckout,
  event: StripeEvent | null,
): Promise<ReadingOutcome> {
  const { subscription, id, leadReference, createdAt: startedAt, recoveredFrom, readAt } = checkout;
  const { stripeSubscriptionId } = subscription;
  const known = await readOwner(deps.db, stripeSubscriptionId);
  const email =
    (known?.emailCorrectedAt && known.email) || (checkout.email ?? subscription.customerEmail);
  // Delivered again after the person was erased, so only the payment status is stored.
  if (await isErased(deps.db, [stripeSubscriptionId]))
    return applyMoney(deps, { subscription }, event);
  if (email === null) throw new Error(`checkout ${id} has no email`);
  const named = { leadReference: leadReference ?? subscription.leadReference, email, startedAt };
  // Stored in a separate transaction, so that no event loses an email. Its key makes a repeat find
  // the same lead.
  const capturedId = await captureUnknown(deps, checkout, await findPayer(deps.db, named));
  let released: string[] = [];
  const result = await deps.db.transaction(async (trx) => {
    await lockSubscription(trx, stripeSubscriptionId);
    const outcome = await record(trx, event, 'applied');
    if (outcome === 'repeated') return outcome;
    const owner = await readOwner(trx, stripeSubscriptionId);
    const payer = await lockPayer(trx, named, [owner?.email ?? null, ...(owner?.readers ?? [])]);
    if (await isErased(trx, [stripeSubscriptionId])) {
      await storeWithoutPerson(deps, trx, subscription);
      return outcome;
    }
    // The captured lead may have been erased meanwhile.
    const leadId =
      payer.leadId ?? (capturedId && (await captureUnknown(storingIn(trx, deps), checkout, payer)));
    await store(deps, trx, subscription, { ...payer, leadId });
    await recordLink(trx, checkout);
    await linkCheckout(trx, stripeSubscriptionId, { ...checkout, email: tidyEmail(payer.email) });
    const isNewlyPaid = await storeCheckout(trx, {
      id,
      email: payer.email,
      leadId,
      startedAt,
      recoveredFrom,
      isPaymentLink: checkout.operatorRequest !== null,
      readAt,
      state: 'complete',
      recovery: null,
    });
    if (owner?.isLive !== true) await activatePayer(trx, stripeSubscriptionId);
    if (isNewlyPaid) released = await sendAgain(trx, payer.email, leadId);
    return outcome;
  });
  void deps.syncQueue.wake(released.length);
  return result;
}

/**
 * Stores a checkout that ended without a subscription, with its recovery link. Stores nothing about
 * an erased person.
 */
async function applyLostCheckout(
  deps: Pick<CaptureDeps, 'db'>,
  checkout: LostCheckout,
  event: StripeEvent | null,
): Promise<ReadingOutcome> {
  const { id, leadReference, createdAt: startedAt, recoveredFrom, offer, readAt } = checkout;
  const lost =
    checkout.state === 'expired'
      ? ({ state: 'abandoned', recovery: checkout.recovery } as const)
      : ({ state: 'payment-failed', recovery: null } as const);
  return deps.db.transaction(async (trx) => {
    const outcome = await record(trx, event, 'applied');
    if (outcome === 'repeated') return outcome;
    const { leadId, email } = await lockPayer(trx, { ...checkout, startedAt });
    if (await isErased(trx, [id, leadReference])) return outcome;
    await recordLink(trx, checkout);
    await storeCheckout(trx, {
      id,
      email,
      leadId,
      startedAt,
      recoveredFrom,
      isPaymentLink: checkout.operatorRequest !== null,
      offer,
      readAt,
      ...lost,
    });
    return outcome;
  });
}

/** Records the acts of operators that a reading shows, unless Stripe's answer came first. */
async function recordActs(
  trx: Database,
  { subscription, charge }: MoneyReading,
  event: StripeEvent | null,
): Promise<void> {
  for (const { id, amountPence: pence, currency, operatorRequest } of charge?.refunds ?? [])
    if (operatorRequest !== null)
      await recordRequest(trx, operatorRequest, { detail: { refund: id, pence, currency } });
  if (event?.request && event.type.startsWith('customer.subscription.'))
    await recordRequest(trx, event.request);
  if (subscription.status === 'canceled')
    await recordCancellation(trx, subscription.stripeSubscriptionId);
}

async function recordLink(
  trx: Database,
  { operatorRequest, endsAt }: CheckoutReading,
): Promise<void> {
  if (operatorRequest !== null)
    await recordRequest(trx, operatorRequest, { detail: { until: endsAt } });
}

/**
 * Locks the emails of payer, lead and others, and follows a correction. The lead cannot be deleted
 * until the transaction ends. Returns the locked emails.
 */
async function lockPayer<Email extends string | null>(
  trx: Database,
  named: Parameters<typeof findPayer<Email>>[1],
  others: (string | null)[] = [],
) {
  const { found, locked } = await lockFound(trx, async (db) => {
    const payer = await findPayer(db, named);
    return { found: payer, emails: [named.email, payer.email, payer.leadEmail, ...others] };
  });
  return { ...found, locked };
}

async function store(
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

/** Stores the payment status of an erased person's subscription, without personal data. */
async function storeWithoutPerson(
  { newId, log }: Pick<CaptureDeps, 'newId' | 'log'>,
  trx: Database,
  snapshot: SubscriptionSnapshot,
): Promise<void> {
  const { stripeSubscriptionId, status, latestInvoice } = snapshot;
  const isStored = await storeSnapshot(trx, {
    ...snapshot,
    id: newId(),
    email: null,
    customerEmail: null,
    customerName: null,
    cancellationFeedback: null,
    latestInvoice: latestInvoice && { ...latestInvoice, paymentUrl: null },
  });
  if (isStored)
    log.info({ stripeSubscriptionId, status }, 'subscription of an erased subscriber stored');
}
