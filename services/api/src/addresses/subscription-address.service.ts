import { queryOne } from '@site/platform/database/query';
import { isSameAddress } from '@site/schema/email';
import type { CallAnswer } from '@site/schema/calls/calls';
import type { AddressedSubscription } from './address-change.repository.ts';
import { findAddresses } from './address-change.service.ts';
import { captureAddress } from '../payers/payer-lead.service.ts';
import type { PayerDeps } from '../payers/payer-lead.service.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { noteCustomerEmail, updateCustomerEmail } from './customer-address.service.ts';
import { correctAddress } from './lead-correction.service.ts';
import type { CorrectionDeps } from './lead-correction.service.ts';

export type AddressDeps = CorrectionDeps & PayerDeps;
type Answer = CallAnswer<'POST /api/admin/subscriptions/:id/address'>;

/**
 * Corrects a subscription's email, here and for the customer at Stripe. The new address is added as a lead if it isn't
 * one, so that it reaches Beehiiv. With the stored email, gives Stripe that again if it was last seen with another.
 * Throws 404, 409 if the address has another live subscription, 422 for one that Stripe refuses, 503.
 */
export async function changeSubscriptionAddress(
  deps: AddressDeps,
  operator: string,
  stripeSubscriptionId: string,
  email: string,
): Promise<Answer> {
  const subscription = await findAddresses(deps.db, stripeSubscriptionId);
  const { email: former, name, leadId } = subscription;
  const isSame = isSameAddress(email, former);
  const isChanged = !isSame || (await giveCustomer(deps, operator, subscription));
  if (!isSame) {
    const mistyped = { email: former, name, leadId, subscriptionId: stripeSubscriptionId };
    const capture = () => captureAddress(deps, stripeSubscriptionId, email, null);
    await correctAddress(deps, operator, mistyped, email, capture);
  }
  const now = isSame ? subscription : await findAddresses(deps.db, stripeSubscriptionId);
  const beehiiv = await queryOne<Answer['beehiiv']>(
    deps.db,
    `select coalesce(max(wanted), 'free') as tier, coalesce(bool_and(confirmed_version = version), true) as is_tier_confirmed,
       exists (select from unsubscribe_requests where email_normalised = lower(:former)) as is_unsubscribing
     from subscriber_tiers where email_normalised = lower(:email)`,
    { email: now.email, former },
  );
  return {
    stripeSubscriptionId,
    email: now.email,
    stripe: isChanged ? 'customer-email-changed' : 'unchanged',
    beehiiv,
  };
}

/** Gives Stripe's customer the payer's address again, if Stripe was last seen with another. */
async function giveCustomer(
  { db, stripe }: AddressDeps,
  operator: string,
  { stripeSubscriptionId, stripeCustomerId, email }: AddressedSubscription,
): Promise<boolean> {
  const { customerEmail } = await db('subscriptions')
    .where({ stripeSubscriptionId })
    .first('customerEmail');
  if (customerEmail === null || isSameAddress(customerEmail, email)) return false;
  await updateCustomerEmail(stripe, stripeCustomerId, email);
  await db.transaction(async (trx) => {
    await noteCustomerEmail(trx, stripeCustomerId, email);
    await recordAction(trx, {
      operator,
      action: 'restore-customer',
      subject: stripeSubscriptionId,
    });
  });
  return true;
}
