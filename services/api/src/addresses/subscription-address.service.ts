import { queryOne } from '@site/platform/database/query';
import type { Database } from '@site/platform/database/connect';
import { isSameAddress } from '@site/schema/email';
import type { DeliveryAddressAnswer, DeliveryAddressBody } from '@site/schema/calls/subscriptions';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import { isDeepStrictEqual } from 'node:util';
import { deliverSubscription } from './address-change.repository.ts';
import type { AddressedSubscription } from './address-change.repository.ts';
import { problem } from '../http/problem.ts';
import { settleOwners } from '../subscriptions/settle-owners.ts';
import { findAddresses, lockForChange, refuseSecond } from './address-change.service.ts';
import { willKnow } from '../payers/payer-lead.repository.ts';
import { captureAddress } from '../payers/payer-lead.service.ts';
import type { PayerDeps } from '../payers/payer-lead.service.ts';
import { recordAction } from '../audit/audit.repository.ts';
import { noteCustomerEmail, updateCustomerEmail } from './customer-address.service.ts';
import { correctAddress } from './lead-correction.service.ts';
import type { CorrectionDeps } from './lead-correction.service.ts';

export type AddressDeps = CorrectionDeps & PayerDeps;

/**
 * Changes a subscription's delivery address, or corrects its payer's mistyped one, which changes both and the customer
 * at Stripe. The new address is added as a lead if it isn't one, so that it reaches Beehiiv. Repeating it changes nothing.
 * Throws 404, 409 if the address has another live subscription or this one has ended, 422 for one that Stripe refuses, 503.
 */
export async function changeSubscriptionAddress(
  deps: AddressDeps,
  operator: string,
  stripeSubscriptionId: string,
  { email, correctsPayer }: DeliveryAddressBody,
): Promise<DeliveryAddressAnswer> {
  const subscription = await findAddresses(deps.db, stripeSubscriptionId);
  const isSame = isSameAddress(
    email,
    correctsPayer ? subscription.email : deliveryOf(subscription),
  );
  if (isSame && correctsPayer && (await giveCustomer(deps, operator, subscription))) {
    return toAnswer(deps.db, subscription, subscription.email, 'customer-email-changed');
  }
  if (!isSame) {
    if (correctsPayer) {
      const { email: payer, name, leadId } = subscription;
      const mistyped = { email: payer, name, leadId, subscriptionId: stripeSubscriptionId };
      const capture = () => captureAddress(deps, stripeSubscriptionId, email, null);
      await correctAddress(deps, operator, mistyped, email, capture);
    } else if (subscription.stage === 'ended') throw problem('subscription-over');
    else await deliverTo(deps, operator, subscription, email);
  }
  const changed = !isSame && correctsPayer ? 'customer-email-changed' : 'unchanged';
  return toAnswer(
    deps.db,
    await findAddresses(deps.db, stripeSubscriptionId),
    subscription.email,
    changed,
  );
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

async function deliverTo(
  deps: AddressDeps,
  operator: string,
  subscription: AddressedSubscription,
  email: string,
): Promise<void> {
  const { db, log } = deps;
  await refuseSecond(db, [subscription], email);
  if (!(await willKnow(db, email, null)))
    await captureAddress(deps, subscription.stripeSubscriptionId, email, OPERATOR_SOURCE);
  const now = await db.transaction(async (trx) => {
    const addresses = await lockForChange(trx, [subscription], [email]);
    const locked = await findAddresses(trx, subscription.stripeSubscriptionId);
    if (!isDeepStrictEqual(locked, subscription)) return locked;
    await refuseSecond(trx, [subscription], email);
    await deliverSubscription(trx, subscription.stripeSubscriptionId, email);
    await settleOwners({ log }, trx, addresses);
    await recordAction(trx, {
      operator,
      action: 'change-delivery',
      subject: subscription.stripeSubscriptionId,
    });
    return null;
  });
  // A webhook or another operator was faster.
  if (now) await deliverTo(deps, operator, now, email);
}

const deliveryOf = ({ email, deliveryEmail }: AddressedSubscription) => deliveryEmail ?? email;

async function toAnswer(
  db: Database,
  subscription: AddressedSubscription,
  formerPayer: string,
  stripe: DeliveryAddressAnswer['stripe'],
): Promise<DeliveryAddressAnswer> {
  const beehiiv = await queryOne<DeliveryAddressAnswer['beehiiv']>(
    db,
    `select coalesce(max(wanted), 'free') as tier, coalesce(bool_and(confirmed_version = version), true) as is_tier_confirmed,
       exists (select from unsubscribe_requests where email_normalised = lower(:formerPayer)) as is_unsubscribing
     from subscriber_tiers where email_normalised = lower(:delivery)`,
    { delivery: deliveryOf(subscription), formerPayer },
  );
  return {
    stripeSubscriptionId: subscription.stripeSubscriptionId,
    payerEmail: subscription.email,
    deliveryEmail: deliveryOf(subscription),
    stripe,
    beehiiv,
  };
}
