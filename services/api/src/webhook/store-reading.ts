import type { Database } from '@site/platform/database/connect';
import { activatePayer } from '@site/platform/outbox/people';
import { tidyEmail } from '@site/schema/email';
import { findPayer } from '../payers/payer-lead.repository.ts';
import type { Payer } from '../payers/payer-lead.repository.ts';
import {
  captureReceiver,
  captureUnknown,
  sendAgain,
  storingIn,
} from '../payers/payer-lead.service.ts';
import type { CaptureDeps } from '../leads/lead.service.ts';
import { storeCheckout } from '../checkout/checkout.repository.ts';
import { settleOwners } from '../subscriptions/settle-owners.ts';
import type { MoneyReading } from '../stripe/invoice-reading.ts';
import { storeCharge, storeDispute, storeInvoice } from '../subscriptions/payment.repository.ts';
import type { CheckoutReading, CompleteCheckout } from '../stripe/checkout-reading.ts';
import type { SubscriptionSnapshot } from '../stripe/subscription-reading.ts';
import {
  correctPayer,
  endDeletedSubscription,
  isErased,
  linkCheckout,
  linkLead,
  lockAddresses,
  lockFound,
  lockSubscription,
  readOwner,
  storeSnapshot,
} from '../subscriptions/subscription.repository.ts';

/*
 * Stores what was read from Stripe. The webhook and the thank-you page both end here, in any order and any number of
 * times: a reading older than the stored one changes nothing. Before: `event-effects.ts`,
 * `checkout-state.service.ts`. Next: `subscription.repository.ts`.
 */

/** Runs first in the transaction. If it returns false, nothing else happens. */
export type RecordOnce = (trx: Database) => Promise<boolean>;
const always: RecordOnce = () => Promise.resolve(true);

/** Stores a subscription and the payment objects that were read with it. */
export async function applyMoney(
  deps: CaptureDeps,
  reading: MoneyReading,
  recordOnce: RecordOnce = always,
): Promise<void> {
  const { subscription, invoice, charge, dispute } = reading;
  const { stripeSubscriptionId, readAt } = subscription;
  let released: string[] = [];
  await deps.db.transaction(async (trx) => {
    await lockSubscription(trx, stripeSubscriptionId);
    if (!(await recordOnce(trx))) return;
    // The emails stay the first ones, until an operator changes them. A customer deleted at Stripe has none.
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
      invoice && (await storeInvoice(trx, { ...invoice, stripeSubscriptionId, readAt }));
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
    if (isOfErased) return;
    // After all of the reading is stored: a first payment changes who somebody is. A payer whose
    // email arrives late begins then.
    const isStart = stored?.isLive !== true || stored.email === null;
    await settleOwners(deps, trx, payer.locked, isStart ? payer.email : null);
    if (isStart) await activatePayer(trx, stripeSubscriptionId);
  });
  void deps.syncQueue.wake(released.length);
}

/** Ends a subscription that now belongs to another product. If it never was ours, `recordOnce` is not called. */
export async function applyDeletedSubscription(
  deps: CaptureDeps,
  { stripeSubscriptionId, readAt }: Pick<SubscriptionSnapshot, 'stripeSubscriptionId' | 'readAt'>,
  recordOnce: RecordOnce,
): Promise<void> {
  await deps.db.transaction(async (trx) => {
    await lockSubscription(trx, stripeSubscriptionId);
    const owner = await readOwner(trx, stripeSubscriptionId);
    if (owner === undefined || !(await recordOnce(trx))) return;
    const owners = await lockAddresses(trx, [owner.email, ...owner.readers]);
    await endDeletedSubscription(trx, stripeSubscriptionId, readAt);
    if (await isErased(trx, [stripeSubscriptionId])) return;
    await settleOwners(deps, trx, owners);
  });
}

/**
 * Stores a completed checkout's subscription and links it to its lead. A payer without a lead gets one here. A
 * quarantined lead is released, because bots do not pay.
 */
export async function applyCheckout(
  deps: CaptureDeps,
  checkout: CompleteCheckout,
  recordOnce: RecordOnce = always,
): Promise<void> {
  const { subscription, id, leadReference, createdAt: startedAt, recoveredFrom, readAt } = checkout;
  const { stripeSubscriptionId } = subscription;
  const known = await readOwner(deps.db, stripeSubscriptionId);
  const email =
    (known?.emailCorrectedAt && known.email) || (checkout.email ?? subscription.customerEmail);
  // Delivered again after the person was erased: only the payment status is stored.
  if (await isErased(deps.db, [stripeSubscriptionId]))
    return applyMoney(deps, { subscription }, recordOnce);
  if (email === null) throw new Error(`checkout ${id} has no email`);
  const named = { leadReference: leadReference ?? subscription.leadReference, email, startedAt };
  // Stored in a transaction of its own, so that no event loses an email. Its key makes a repeat
  // find the same lead.
  const capturedId = await captureUnknown(deps, checkout, await findPayer(deps.db, named));
  const released = await deps.db.transaction(async (trx) => {
    await lockSubscription(trx, stripeSubscriptionId);
    if (!(await recordOnce(trx))) return [];
    const owner = await readOwner(trx, stripeSubscriptionId);
    const payer = await lockPayer(trx, named, [owner?.email ?? null, ...(owner?.readers ?? [])]);
    if (await isErased(trx, [stripeSubscriptionId])) {
      await storeWithoutPerson(deps, trx, subscription);
      return [];
    }
    // The captured lead may have been erased meanwhile.
    const leadId =
      payer.leadId ?? (capturedId && (await captureUnknown(storingIn(trx, deps), checkout, payer)));
    await store(deps, trx, subscription, { ...payer, leadId });
    await linkCheckout(trx, stripeSubscriptionId, { ...checkout, email: tidyEmail(payer.email) });
    const isNewlyPaid = await storeCheckout(trx, {
      id,
      email: payer.email,
      leadId,
      startedAt,
      recoveredFrom,
      readAt,
      state: 'complete',
      recovery: null,
    });
    const isStart = owner?.isLive !== true;
    await settleOwners(deps, trx, payer.locked, isStart ? payer.email : null);
    if (isStart) await activatePayer(trx, stripeSubscriptionId);
    return isNewlyPaid ? sendAgain(trx, payer.email, leadId) : [];
  });
  void deps.syncQueue.wake(released.length);
}

/**
 * Stores a checkout that ended without a subscription, with its recovery link. Stores nothing about an erased person.
 */
export async function applyAbandonedCheckout(
  deps: Pick<CaptureDeps, 'db'>,
  checkout: Exclude<CheckoutReading, { state: 'complete' }>,
  recordOnce: RecordOnce = always,
): Promise<void> {
  const { id, leadReference, createdAt: startedAt, recoveredFrom, offer, readAt } = checkout;
  const lost =
    checkout.state === 'expired'
      ? ({ state: 'abandoned', recovery: checkout.recovery } as const)
      : ({ state: 'payment-failed', recovery: null } as const);
  await deps.db.transaction(async (trx) => {
    if (!(await recordOnce(trx))) return;
    const { leadId, email } = await lockPayer(trx, { ...checkout, startedAt });
    if (await isErased(trx, [id, leadReference])) return;
    await storeCheckout(trx, {
      id,
      email,
      leadId,
      startedAt,
      recoveredFrom,
      offer,
      readAt,
      ...lost,
    });
  });
}

/**
 * Locks the payer's email, their lead's and others, and follows a correction. The lead is there until the transaction
 * ends. Returns the emails that are locked.
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
