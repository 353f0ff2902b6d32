import type { Database } from '@site/platform/database/connect';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { tidyEmail } from '@site/schema/email';
import { problem } from '../http/problem.ts';
import { ADDRESSED, hasOtherLive } from './address-change.repository.ts';
import type { AddressedSubscription } from './address-change.repository.ts';
import {
  lockAddresses,
  lockSubscription,
  notePayerMismatch,
} from '../subscriptions/subscription.repository.ts';

/**
 * Locks what a change of addresses touches, and returns the addresses, which are settled at its end. Call it before
 * touching any row. Then read again: a webhook may have stored or changed a subscription meanwhile.
 */
export async function lockForChange(
  trx: Database,
  subscriptionIds: string[],
  emails: string[],
): Promise<string[]> {
  for (const id of subscriptionIds.toSorted()) await lockSubscription(trx, id);
  return lockAddresses(trx, emails);
}

/** Corrects a payer's mistyped address here, with its checkout's. `leadId` is the lead with the correct one. Needs `lockForChange`. */
export async function correctPayer(
  trx: Database,
  {
    stripeSubscriptionId,
    email,
    leadId,
  }: { stripeSubscriptionId: string; email: string; leadId: string },
): Promise<void> {
  await trx.raw(
    `with corrected as (
       update subscriptions set email = :email, email_corrected_at = now(), lead_id = :leadId
       where stripe_subscription_id = :stripeSubscriptionId
       returning stripe_checkout_session_id as id
     )
     update checkouts set email = :email, lead_id = :leadId from corrected
     where checkouts.stripe_checkout_session_id = corrected.id`,
    { stripeSubscriptionId, email: tidyEmail(email), leadId },
  );
  await notePayerMismatch(trx, stripeSubscriptionId);
}

/** Throws 409 if one of the subscriptions is live, and the address has a live one besides them. */
export async function refuseSecond(
  db: Database,
  subscriptions: AddressedSubscription[],
  email: string,
): Promise<void> {
  const ids = subscriptions.map(({ stripeSubscriptionId }) => stripeSubscriptionId);
  if (!subscriptions.some(({ isLive }) => isLive) || !(await hasOtherLive(db, email, ids))) return;
  throw problem('already-subscribed', {
    detail: 'That address pays for another live subscription. Cancel one of the two first.',
  });
}

/** Reads a subscription's payer. Throws 404 if there is none, or if the person was erased. */
export async function findAddresses(
  db: Database,
  stripeSubscriptionId: string,
): Promise<AddressedSubscription> {
  const found = await db<SubscriptionRow>('subscriptions')
    .where({ stripeSubscriptionId })
    .whereNotNull('email')
    .first<AddressedSubscription | undefined>(...ADDRESSED);
  if (!found) throw problem('not-found', { detail: 'There is no subscription with this id.' });
  return found;
}
