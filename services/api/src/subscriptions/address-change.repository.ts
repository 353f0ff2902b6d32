import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';

const ADDRESSED = ['stripeSubscriptionId', 'stripeCustomerId', 'email', 'deliveryEmail', 'isLive', 'leadId'] as const;
/** A subscription and its two addresses. */
export type AddressedSubscription = Pick<SubscriptionRow, (typeof ADDRESSED)[number]> & { email: string };

/** Reads a subscription's addresses. Returns undefined if it is not stored, or if the person was erased. */
export async function readAddresses(
  db: Database,
  stripeSubscriptionId: string,
): Promise<AddressedSubscription | undefined> {
  return db<SubscriptionRow>('subscriptions')
    .where({ stripeSubscriptionId })
    .whereNotNull('email')
    .first<AddressedSubscription | undefined>(...ADDRESSED);
}

/** Lists the subscriptions of a lead that its own address pays for. */
export async function listPaidByLead(db: Database, leadId: string): Promise<AddressedSubscription[]> {
  return db<SubscriptionRow>('subscriptions')
    .where({ leadId })
    .whereRaw('email_normalised = (select email_normalised from leads where id = ?)', [leadId])
    .orderBy('stripeSubscriptionId')
    .select<AddressedSubscription[]>(...ADDRESSED);
}

/**
 * Finds the lead that a correction of the payer's address replaces: the subscription's own, or the one that the payment
 * created, which no form brought. Returns null if the address has neither, or if both were corrected before.
 */
export async function findLeadOfPayer(
  db: Database,
  { stripeSubscriptionId, email, leadId }: AddressedSubscription,
): Promise<string | null> {
  const [lead] = await query<{ id: string }>(
    db,
    `select id from leads where email_normalised = lower(:email) and ${IS_NOT_CORRECTED} and (
       id = :leadId or (form_type = 'pre_buy' and consent_text_version is null and not exists (
         select from subscriptions other
         where other.lead_id = leads.id and other.stripe_subscription_id <> :stripeSubscriptionId
       ))
     )
     order by id is not distinct from :leadId desc, submitted_at limit 1`,
    { stripeSubscriptionId, email, leadId },
  );
  return lead?.id ?? null;
}

/** True if the address pays for or receives another live subscription. */
export async function hasOtherLive(trx: Database, email: string, stripeSubscriptionId: string): Promise<boolean> {
  const rows = await query(
    trx,
    `select from subscriptions where is_live and lower(:email) in (email_normalised, delivery_normalised)
       and stripe_subscription_id <> :stripeSubscriptionId limit 1`,
    { email, stripeSubscriptionId },
  );
  return rows.length > 0;
}

/** Stores the corrected address of a payer, with its checkout's, and the lead that has this address. */
export async function storeCorrectedPayer(
  trx: Database,
  { stripeSubscriptionId, email, leadId }: { stripeSubscriptionId: string; email: string; leadId: string },
): Promise<void> {
  await trx.raw(
    `with corrected as (
       update subscriptions set email = :email, email_corrected_at = now(), lead_id = :leadId,
         delivery_email = case when delivery_normalised <> email_normalised and delivery_normalised <> lower(:email)
           then delivery_email end
       where stripe_subscription_id = :stripeSubscriptionId
       returning stripe_checkout_session_id as id
     )
     update checkouts set email = :email, lead_id = :leadId from corrected
     where checkouts.stripe_checkout_session_id = corrected.id`,
    { stripeSubscriptionId, email, leadId },
  );
}

/** Stores who gets the paid issue. If that is the payer, nobody else does. */
export async function storeDelivery(trx: Database, stripeSubscriptionId: string, email: string): Promise<void> {
  await trx.raw(
    `update subscriptions set delivery_email = case when email_normalised <> lower(:email) then :email end
     where stripe_subscription_id = :stripeSubscriptionId`,
    { stripeSubscriptionId, email },
  );
}

/**
 * Asks the workers to unsubscribe a mistyped address, unless somebody uses it: a lead of its own, or a subscription.
 * `leadId` is the lead with the correct address.
 */
export async function requestUnsubscribe(
  trx: Database,
  { id, email, leadId, operator }: { id: string; email: string; leadId: string; operator: string },
): Promise<void> {
  await trx.raw(
    `insert into unsubscribe_requests (id, email_normalised, lead_id, requested_by)
       select :id, lower(:email), :leadId, :operator
       where not exists (select from leads where email_normalised = lower(:email) and ${IS_NOT_CORRECTED})
         and not exists (select from subscriptions where lower(:email) in (email_normalised, delivery_normalised))
     on conflict (email_normalised) where done_at is null do nothing`,
    { id, email, leadId, operator },
  );
}
