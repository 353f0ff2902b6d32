import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';

const OWNED = [
  'stripeSubscriptionId',
  'stripeCustomerId',
  'email',
  'name',
  'isLive',
  'stage',
  'leadId',
] as const;
export type OwnedSubscription = Pick<SubscriptionRow, (typeof OWNED)[number]> & {
  email: string;
};

/**
 * A mistyped email, its user, and the object of the correction: a lead, or the person's
 * subscription.
 */
export type Mistyped = {
  email: string;
  name: string | null;
  leadId: string | null;
  subscriptionId: string | null;
};
/** The rows that a correction moves to the correct email. The first lead is the named one. */
export type Correctable = {
  leadIds: string[];
  subscriptions: OwnedSubscription[];
  /** The subscription that the free access of the mistyped email lasts with. */
  withSubscription: string | null;
};

/**
 * Finds the rows that move with a mistyped email: the named lead and subscription, the same
 * person's other leads, and the subscriptions of these leads. A lead with the same name belongs to
 * the person. So does a lead without a name, unless it looks automated or has its own running
 * subscription. If no name is known, only the named rows move.
 */
export async function findCorrectable(
  db: Database,
  { email, name, leadId, subscriptionId }: Mistyped,
): Promise<Correctable> {
  const leads = await query<{ id: string }>(
    db,
    `select id from leads
     where email_normalised = normalised_email(:email) and (
       id = :leadId or (quarantine_reason is null and :name::text is not null and (
         lower(full_name) = lower(:name) or (full_name is null and not exists (
           select from subscriptions other where other.lead_id = leads.id and other.stage <> 'ended'
             and other.email_normalised = normalised_email(:email)
             and other.stripe_subscription_id is distinct from :subscriptionId
         ))
       ))
     )
     order by id is not distinct from :leadId desc, submitted_at, id`,
    { email, name, leadId, subscriptionId },
  );
  const leadIds = leads.map(({ id }) => id);
  const subscriptions = await db<SubscriptionRow>('subscriptions')
    .whereRaw(
      `email_normalised = normalised_email(:email)
         and (lead_id = any(:leadIds) or stripe_subscription_id = :subscriptionId)`,
      { email, leadIds, subscriptionId },
    )
    .orderBy('stripeSubscriptionId')
    .select<OwnedSubscription[]>(...OWNED);
  const access = await db('people')
    .whereRaw('email_normalised = normalised_email(?)', [email])
    .first('freeWithSubscription');
  return { leadIds, subscriptions, withSubscription: access?.freeWithSubscription ?? null };
}

/** Lists the email's subscriptions that have not ended. */
export async function listPaidBy(db: Database, email: string) {
  return db<SubscriptionRow>('subscriptions')
    .whereRaw('email_normalised = normalised_email(?)', [email])
    .whereNot({ stage: 'ended' })
    .orderBy('stripeSubscriptionId')
    .select<{ stripeSubscriptionId: string; name: string | null; email: string }[]>(
      'stripeSubscriptionId',
      'name',
      'email',
    );
}

/** Returns true if the email pays for another live subscription. */
export async function hasOtherLive(
  trx: Database,
  email: string,
  besides: string[],
): Promise<boolean> {
  const rows = await query(
    trx,
    `select from subscriptions where is_live and email_normalised = normalised_email(:email)
       and stripe_subscription_id <> all(:besides) limit 1`,
    { email, besides },
  );
  return rows.length > 0;
}

/**
 * Asks the workers to unsubscribe a mistyped email, unless another lead or subscription uses it.
 * `leadId` is the lead with the correct email.
 */
export async function requestUnsubscribe(
  trx: Database,
  { id, email, leadId, operator }: { id: string; email: string; leadId: string; operator: string },
): Promise<void> {
  await trx.raw(
    `with unlisted as (
       delete from differences
       where email_normalised = normalised_email(:email)
         and not is_email_used(normalised_email(:email))
     )
     insert into removal_requests (id, kind, email_normalised, lead_id, requested_by)
       select :id, 'unsubscribe', normalised_email(:email), :leadId, :operator
       where not is_email_used(normalised_email(:email))
     on conflict (email_normalised) where kind = 'unsubscribe' and done_at is null do nothing`,
    { id, email, leadId, operator },
  );
}

/** The emails of a correction, and the leads that it moves. */
export type Move = { from: string; to: string; leadIds: string[]; operator: string };

/**
 * Moves checkouts and notes. Moves the moved leads' checkouts, even unpaid ones, unless somebody
 * else paid. Moves the mistyped email's checkouts and notes unless somebody else uses it.
 * An email keeps one checkout that was not opened.
 */
export async function moveCheckoutsAndNotes(
  trx: Database,
  { from, to, leadIds }: Omit<Move, 'operator'>,
): Promise<void> {
  await trx.raw(
    `delete from checkouts
     where state = 'not-opened' and email_normalised = normalised_email(:from) and exists (
       select from checkouts kept
       where kept.state = 'not-opened' and kept.email_normalised = normalised_email(:to)
     ) and (lead_id = any(:leadIds) or not is_email_used(normalised_email(:from)))`,
    { from, to, leadIds },
  );
  await trx.raw(
    `update checkouts set email = :to, is_moved = true
     where lead_id = any(:leadIds) and email_normalised = normalised_email(:from)`,
    { from, to, leadIds },
  );
  await trx.raw(
    `with moved as (
       update checkouts set email = :to, is_moved = true
       where email_normalised = normalised_email(:from)
         and state in ('open', 'not-opened', 'abandoned')
         -- Earlier ones are of the email's real owner. Stripe's times are whole seconds.
         and started_at >= coalesce((
           select min(submitted_at) - interval '1 minute' from leads where id = any(:leadIds)
         ), '-infinity')
         and not is_email_used(normalised_email(:from))
     )
     update notes set email_normalised = normalised_email(:to)
     where email_normalised = normalised_email(:from)
       and not is_email_used(normalised_email(:from))`,
    { from, to, leadIds },
  );
}

/** Stores a Stripe customer's current email with each of their subscriptions. */
export const storeCustomerEmail = (trx: Database, stripeCustomerId: string, email: string) =>
  trx('subscriptions')
    .where({ stripeCustomerId })
    .whereNotNull('email')
    .update({ customerEmail: email });

/** Reads our copy of a customer's email: the latest correction, or null for an erased person. */
export async function readStoredEmail(
  db: Database,
  stripeCustomerId: string,
): Promise<string | null> {
  const stored = db('subscriptions')
    .where({ stripeCustomerId })
    .orderByRaw('email_corrected_at desc nulls last');
  return (await stored.first('email')).email;
}

/**
 * Finds a subscription with its payer. Returns undefined for an unknown subscription or an erased
 * person.
 */
export const findOwned = (db: Database, stripeSubscriptionId: string) =>
  db<SubscriptionRow>('subscriptions')
    .where({ stripeSubscriptionId })
    .whereNotNull('email')
    .first<OwnedSubscription | undefined>(...OWNED);
