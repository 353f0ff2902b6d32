import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { lockFound } from '@site/platform/people/person';
import { tidyEmail } from '@site/schema/email';
import { toStoredText } from '@site/schema/text';
import type { SubscriptionPart, SubscriptionSnapshot } from '../reading/subscription-reading.ts';

/** Reads the time on Postgres's clock, which all API processes share. */
export async function readDatabaseClock(db: Database): Promise<string> {
  const { now } = await queryOne<{ now: string }>(db, 'select clock_timestamp()::text as now');
  return now;
}

/**
 * Locks a subscription until the transaction ends. Locks the id, because the row may not exist yet.
 */
export async function lockSubscription(trx: Database, stripeSubscriptionId: string): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('subscription ' || ?, 0))`, [
    stripeSubscriptionId,
  ]);
}

/** `email` is null once the person was erased. */
export type NewSubscription = SubscriptionSnapshot & { id: string; email: string | null };

const MAX_NAME = 200;

/** The columns that each part of a reading fills. */
const COLUMNS_OF: Record<SubscriptionPart, (keyof SubscriptionRow)[]> = {
  customer: ['customerEmail'],
  coupon: ['coupon', 'amountPence', 'recurringPence'],
  price: ['plan', 'amountPence', 'recurringPence'],
  period: ['periodEndsAt'],
  dates: ['startedAt', 'trialEndsAt', 'cancelAt', 'canceledAt', 'endedAt'],
  details: ['cancellationFeedback', 'isCollectionPaused'],
  invoice: ['latestInvoiceId', 'paymentAttempts', 'nextPaymentAttemptAt', 'paymentUrl'],
};

/**
 * Stores a reading unless a later one is stored. Returns true if it was stored. The first email
 * stays, and so does the stored value of an unreadable part. The name follows Stripe's, if present.
 */
export async function storeSnapshot(
  trx: Database,
  subscription: NewSubscription,
): Promise<boolean> {
  const { id, email, stripeSubscriptionId, latestInvoice: invoice, readAt, ...read } = subscription;
  const { leadReference: _, isFromCheckout: __, customerName, ...same } = read;
  const state = {
    ...same,
    latestInvoiceId: invoice?.id ?? null,
    paymentAttempts: invoice?.attempts ?? 0,
    nextPaymentAttemptAt: invoice?.nextAttemptAt ?? null,
    paymentUrl: invoice?.paymentUrl ?? null,
    snapshotAt: readAt,
  };
  const unread = new Set<string>(subscription.unreadParts.flatMap((part) => COLUMNS_OF[part]));
  const stored = await trx('subscriptions')
    .insert({ id, email, stripeSubscriptionId, ...state })
    .onConflict('stripeSubscriptionId')
    .merge(Object.keys(state).filter((column) => !unread.has(column)))
    .where('subscriptions.snapshotAt', '<', readAt)
    .returning('id');
  if (stored.length === 0) return false;
  await trx.raw(
    `update subscriptions set name = coalesce(:name::text, name), email = coalesce(email, :email)
     where stripe_subscription_id = :stripeSubscriptionId
       and (name is distinct from coalesce(:name, name) or email is null
       and :email::text is not null)`,
    { name: toStoredText(customerName, MAX_NAME) ?? null, email, stripeSubscriptionId },
  );
  return true;
}

/**
 * Marks a subscription that now belongs to another product as ended, unless a later reading is
 * stored.
 */
export async function endDeletedSubscription(
  trx: Database,
  stripeSubscriptionId: string,
  readAt: string,
): Promise<void> {
  await trx('subscriptions')
    .where({ stripeSubscriptionId })
    .where('snapshotAt', '<', readAt)
    .update({
      status: 'canceled',
      endedAt: trx.raw('coalesce(ended_at, ?)', [readAt]),
      cancelAt: null,
      nextPaymentAttemptAt: null,
      paymentUrl: null,
      snapshotAt: readAt,
    });
}

/** A subscription's payer, whether it is live, and the readers whose free access lasts with it. */
export type Owner = Pick<SubscriptionRow, 'email' | 'emailCorrectedAt' | 'isLive'> & {
  readers: string[];
};

/** Reads a subscription's payer and its readers. The email is null once the person was erased. */
export async function readOwner(
  trx: Database,
  stripeSubscriptionId: string,
): Promise<Owner | undefined> {
  const [owner] = await query<Owner>(
    trx,
    `select email, email_corrected_at, is_live, array(
       select email_normalised from people
       where free_with_subscription = stripe_subscription_id) as readers
     from subscriptions where stripe_subscription_id = ?`,
    [stripeSubscriptionId],
  );
  return owner;
}

/** Locks a subscription and its payer, and reads them. */
export async function lockOwner(
  trx: Database,
  stripeSubscriptionId: string,
): Promise<Owner | undefined> {
  await lockSubscription(trx, stripeSubscriptionId);
  const { found } = await lockFound(trx, async (db) => {
    const owner = await readOwner(db, stripeSubscriptionId);
    return { found: owner, emails: [owner?.email ?? null] };
  });
  return found;
}

/**
 * Corrects a payer's mistyped email here, including its checkout's. `leadId` is the lead with the
 * correct email. Details copied from another person's lead go, because that person's erasure would
 * not find them. Needs the locks of the subscription and both emails.
 */
export async function correctPayer(
  trx: Database,
  {
    stripeSubscriptionId,
    email,
    leadId,
  }: { stripeSubscriptionId: string; email: string; leadId: string },
): Promise<void> {
  await trx.raw(
    `with others as (
       select leads.full_name, leads.company, leads.phone
       from leads join subscriptions paid on paid.lead_id = leads.id
       where paid.stripe_subscription_id = :stripeSubscriptionId
         and leads.email_normalised <> paid.email_normalised
     ), corrected as (
       update subscriptions set email = :email, email_corrected_at = now(), lead_id = :leadId,
         name = nullif(name, (select full_name from others)),
         company = nullif(company, (select company from others)),
         phone = nullif(phone, (select phone from others))
       where stripe_subscription_id = :stripeSubscriptionId
       returning stripe_checkout_session_id as id
     )
     update checkouts set email = :email, lead_id = :leadId from corrected
     where checkouts.stripe_checkout_session_id = corrected.id`,
    { stripeSubscriptionId, email: tidyEmail(email), leadId },
  );
}

/** Links a subscription to its lead. The first link stays. The lead's details fill empty fields. */
export async function linkLead(
  trx: Database,
  stripeSubscriptionId: string,
  leadId: string,
): Promise<void> {
  await trx.raw(
    `update subscriptions s set lead_id = l.id, name = coalesce(s.name, l.full_name),
       company = coalesce(s.company, l.company), phone = coalesce(s.phone, l.phone)
     from leads l
     where s.stripe_subscription_id = :stripeSubscriptionId and s.lead_id is null
       and l.id = :leadId`,
    { stripeSubscriptionId, leadId },
  );
}

/**
 * Records the checkout that a subscription came from and its payer's email. This email overrules a
 * customer email that changed before anything was stored, but not an operator's correction.
 */
export async function linkCheckout(
  trx: Database,
  stripeSubscriptionId: string,
  checkout: Pick<SubscriptionRow, 'name' | 'phone' | 'email'> & { id: string },
): Promise<void> {
  const { id, name, phone, email } = checkout;
  await trx.raw(
    `update subscriptions
     set stripe_checkout_session_id = coalesce(stripe_checkout_session_id, :id),
       email = case when email_corrected_at is null then :email else email end,
       name = coalesce(:name, name), phone = coalesce(:phone, phone)
     where stripe_subscription_id = :stripeSubscriptionId`,
    { id, name, phone, email, stripeSubscriptionId },
  );
}

/** An email's subscriptions: a live one, only ended ones, or none that ever started. */
export type Standing = 'live' | 'past' | 'none';

export async function readStanding(db: Database, email: string): Promise<Standing> {
  const { isLive } = await queryOne<{ isLive: boolean | null }>(
    db,
    `select bool_or(is_live) as is_live from subscriptions
     where email_normalised = normalised_email(:email)
       and status not in ('incomplete', 'incomplete_expired')`,
    { email },
  );
  return isLive === null ? 'none' : isLive ? 'live' : 'past';
}

/**
 * Returns true if one of these ids, ours or Stripe's, belonged to an erased person. Stripe sends
 * events about them for years, which must not restore the person. Call it after locking the email,
 * so that an erasure in progress has finished.
 */
export async function isErased(db: Database, ids: (string | null)[]): Promise<boolean> {
  const row = await queryOne<{ isErased: boolean }>(
    db,
    'select exists (select from erased_ids where id = any(?::text[])) as is_erased',
    [ids.filter((id) => id !== null)],
  );
  return row.isErased;
}

/**
 * Counts the erasures of an email that Beehiiv has not yet confirmed. A later, higher count shows
 * that the person was erased meanwhile.
 */
export async function countErasures(db: Database, email: string): Promise<number> {
  const { erasures } = await queryOne<{ erasures: number }>(
    db,
    `select count(*)::int as erasures
     from removal_requests r join operator_actions on subject = r.id::text
     where kind = 'erasure' and done_at is null and action = 'erase-person'
       and email_normalised = normalised_email(:email)`,
    { email },
  );
  return erasures;
}

/** Reads whether and when a subscription ends. */
export const findEnd = (db: Database, stripeSubscriptionId: string) =>
  db('subscriptions')
    .where({ stripeSubscriptionId })
    .first('stage', 'status', 'cancelAt', 'endedAt');

/** Lists the live subscriptions that an email pays for, by their ids at Stripe. */
export async function listLive(db: Database, email: string): Promise<string[]> {
  return db('subscriptions')
    .whereRaw('email_normalised = normalised_email(?) and is_live', [email])
    .orderBy('startedAt')
    .pluck<string[]>('stripe_subscription_id');
}
