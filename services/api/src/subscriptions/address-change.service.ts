import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { tidyEmail } from '@site/schema/email';
import { problem } from '../http/problem.ts';
import { hasOtherLive, readAddresses, storeCorrectedPayer, storeDelivery } from './address-change.repository.ts';
import type { AddressedSubscription } from './address-change.repository.ts';
import { lockAddresses, lockSubscription, notePayerMismatch } from './subscription.repository.ts';
import { settleOwners } from './subscription.service.ts';

/*
 * Changes a subscription's addresses. It has a payer, whom Stripe bills, and a delivery address, which gets the paid
 * issue and so the tier. They are the same unless an operator says otherwise. Before: `correctLead` and
 * `subscription-address.service.ts` of the console. Next: the workers, for tiers and `unsubscribe_requests`.
 */

type ChangeDeps = { log: Logger };

/**
 * Locks what a change of addresses touches. Call it before touching any row. Then read again: a webhook may have stored
 * or changed a subscription meanwhile.
 */
export async function lockForChange(
  trx: Database,
  subscriptions: Pick<AddressedSubscription, 'stripeSubscriptionId' | 'email' | 'deliveryEmail'>[],
  emails: string[],
): Promise<void> {
  for (const { stripeSubscriptionId } of subscriptions) await lockSubscription(trx, stripeSubscriptionId);
  const theirs = subscriptions.flatMap(({ email, deliveryEmail }) => [email, deliveryEmail]);
  await lockAddresses(trx, [...theirs, ...emails]);
}

/**
 * Corrects a payer's mistyped address here: the tier moves, and the mistyped address is free again. `leadId` is the
 * lead with the correct address. Needs `lockForChange`.
 */
export async function correctPayer(
  deps: ChangeDeps,
  trx: Database,
  subscription: AddressedSubscription,
  { email, leadId }: { email: string; leadId: string },
): Promise<void> {
  const { stripeSubscriptionId, email: mistyped, deliveryEmail } = subscription;
  await storeCorrectedPayer(trx, { stripeSubscriptionId, email: tidyEmail(email), leadId });
  await notePayerMismatch(trx, stripeSubscriptionId);
  await settleOwners(deps, trx, await lockAddresses(trx, [mistyped, deliveryEmail, email]));
}

/** Changes who gets the paid issue, and leaves the payer alone. Needs `lockForChange`. */
export async function changeDelivery(
  deps: ChangeDeps,
  trx: Database,
  subscription: AddressedSubscription,
  email: string,
): Promise<void> {
  await storeDelivery(trx, subscription.stripeSubscriptionId, tidyEmail(email));
  await settleOwners(deps, trx, await lockAddresses(trx, [subscription.email, subscription.deliveryEmail, email]));
}

/** Throws 409 if one of the subscriptions is live, and the address has a live one besides them. */
export async function refuseSecond(db: Database, subscriptions: AddressedSubscription[], email: string): Promise<void> {
  const ids = subscriptions.map(({ stripeSubscriptionId }) => stripeSubscriptionId);
  if (!subscriptions.some(({ isLive }) => isLive) || !(await hasOtherLive(db, email, ids))) return;
  throw problem('already-subscribed', { detail: 'That address has another live subscription.' });
}

/** Reads a subscription's addresses. Throws 404 if there is none, or if the person was erased. */
export async function findAddresses(db: Database, stripeSubscriptionId: string): Promise<AddressedSubscription> {
  const found = await readAddresses(db, stripeSubscriptionId);
  if (!found) throw problem('not-found', { detail: 'There is no subscription with this id.' });
  return found;
}
