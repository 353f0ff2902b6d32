import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { tidyEmail } from '@site/schema/email';
import type { SubscriptionSnapshot } from '../stripe/subscription-reading.ts';

/** The time of a reading, on the one clock that all API processes share. */
export async function readDatabaseClock(db: Database): Promise<string> {
  const { now } = await queryOne<{ now: string }>(db, 'select clock_timestamp()::text as now');
  return now;
}

/** Makes everything about one subscription wait in line until the transaction ends. The row may not exist yet, so the id is locked. */
export async function lockSubscription(trx: Database, stripeSubscriptionId: string): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('subscription ' || ?, 0))`, [stripeSubscriptionId]);
}

/** Without an address once the person was erased. */
export type NewSubscription = SubscriptionSnapshot & { id: string; email: string | null };

/**
 * Makes whatever counts these addresses' subscriptions wait in line until the transaction ends; returns them as
 * the database compares them. Taken after the subscription's own lock, before any row is touched, and always in
 * the same order: two transactions must not wait for each other.
 */
export async function lockAddresses(trx: Database, emails: (string | null)[]): Promise<string[]> {
  const rows = await query<{ address: string }>(
    trx,
    'select distinct lower(email) as address from unnest(?::text[]) email order by 1',
    [emails.flatMap((email) => (email === null ? [] : [tidyEmail(email)]))],
  );
  const addresses = rows.map(({ address }) => address);
  for (const address of addresses) {
    await trx.raw(`select pg_advisory_xact_lock(hashtextextended('subscriber ' || ?, 0))`, [address]);
  }
  return addresses;
}

/** Stores what was read unless something read later is stored already; tells whether it was stored. Whose it is stays as it began. */
export async function storeSnapshot(trx: Database, subscription: NewSubscription): Promise<boolean> {
  const { latestInvoice: invoice, readAt, id, email, ...read } = subscription;
  const state = {
    stripeCustomerId: read.stripeCustomerId,
    stripePriceId: read.priceId,
    status: read.status,
    plan: read.plan,
    coupon: read.coupon,
    amountPence: read.amountPence,
    startedAt: read.startedAt,
    trialEndsAt: read.trialEndsAt,
    periodEndsAt: read.periodEndsAt,
    cancelAt: read.cancelAt,
    canceledAt: read.canceledAt,
    endedAt: read.endedAt,
    cancellationFeedback: read.cancellationFeedback,
    isCollectionPaused: read.isCollectionPaused,
    latestInvoiceId: invoice?.id ?? null,
    latestInvoiceStatus: invoice?.status ?? null,
    paymentAttempts: invoice?.attempts ?? 0,
    nextPaymentAttemptAt: invoice?.nextAttemptAt ?? null,
    paymentUrl: invoice?.paymentUrl ?? null,
    snapshotAt: readAt,
  };
  const stored = await trx('subscriptions')
    .insert({ id, email, stripeSubscriptionId: read.stripeSubscriptionId, ...state })
    .onConflict('stripeSubscriptionId')
    .merge(Object.keys(state))
    .where('subscriptions.snapshotAt', '<', readAt)
    .returning('id');
  return stored.length > 0;
}

/** Marks a subscription that Stripe goes on with for another product as ended here, unless something read later is stored. */
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

/** Whose a subscription is, nobody's once they were erased; undefined before it is stored. */
export async function readOwner(
  trx: Database,
  stripeSubscriptionId: string,
): Promise<Pick<SubscriptionRow, 'email'> | undefined> {
  return trx<SubscriptionRow>('subscriptions').where({ stripeSubscriptionId }).first('email');
}

/**
 * Counts an address's live subscriptions; every one but the first to start is marked as a second one, for
 * the operator to see, anew each time that it becomes one. Needs `lockAddresses`. Returns how many are live.
 */
export async function markSecondLive(trx: Database, email: string): Promise<number> {
  const { live } = await queryOne<{ live: number }>(
    trx,
    `with live as (
       select id, row_number() over (order by started_at, stripe_subscription_id) as place
       from subscriptions where email_normalised = lower(:email) and is_live
     ), marked as (
       update subscriptions s set second_live_since =
         case when live.place > 1 then coalesce(s.second_live_since, now()) end,
         second_live_reviewed_at = null
       from subscriptions other left join live on live.id = other.id
       where s.id = other.id and other.email_normalised = lower(:email)
         and (s.second_live_since is not null) is distinct from coalesce(live.place > 1, false)
     )
     select count(*)::int as live from live`,
    { email },
  );
  return live;
}

/**
 * Keeps, for the operator to look at, that another address paid than the lead's. Nothing is decided by it.
 * Before the checkout is told, the payer's address is only what the customer has now: what it gave rise to
 * is put right, unless it was looked at.
 */
export async function notePayerMismatch(trx: Database, stripeSubscriptionId: string): Promise<void> {
  await trx.raw(
    `with pair as (
       select s.stripe_subscription_id as id, l.id as lead_id, l.email as lead_email, s.email as payer_email,
         s.email_normalised <> l.email_normalised as is_mismatch
       from subscriptions s join leads l on l.id = s.lead_id where s.stripe_subscription_id = ?
     ), settled as (
       delete from payer_mismatches m using pair
       where m.stripe_subscription_id = pair.id and not pair.is_mismatch and m.reviewed_at is null
     )
     insert into payer_mismatches (stripe_subscription_id, lead_id, lead_email, payer_email)
       select id, lead_id, lead_email, payer_email from pair where is_mismatch
     on conflict (stripe_subscription_id) do update set payer_email = excluded.payer_email
       where payer_mismatches.reviewed_at is null and payer_mismatches.payer_email <> excluded.payer_email`,
    [stripeSubscriptionId],
  );
}

/** Binds a subscription to its lead, once: the first link stays. The lead's details fill what is empty. */
export async function linkLead(trx: Database, stripeSubscriptionId: string, leadId: string): Promise<void> {
  await trx.raw(
    `update subscriptions s set lead_id = l.id, name = coalesce(s.name, l.full_name),
       company = coalesce(s.company, l.company), phone = coalesce(s.phone, l.phone)
     from leads l
     where s.stripe_subscription_id = :stripeSubscriptionId and s.lead_id is null and l.id = :leadId`,
    { stripeSubscriptionId, leadId },
  );
}

/**
 * Notes which checkout a subscription came from, and who paid there: the address given then is whose it is,
 * also where the customer's had changed before anything was stored.
 */
export async function linkCheckout(
  trx: Database,
  stripeSubscriptionId: string,
  checkout: Pick<SubscriptionRow, 'name' | 'phone' | 'email'> & { id: string },
): Promise<void> {
  const { id, name, phone, email } = checkout;
  await trx.raw(
    `update subscriptions set stripe_checkout_session_id = coalesce(stripe_checkout_session_id, :id), email = :email,
       name = coalesce(:name, name), phone = coalesce(:phone, phone)
     where stripe_subscription_id = :stripeSubscriptionId`,
    { id, name, phone, email, stripeSubscriptionId },
  );
}

/** What an address has with us: a live subscription, only ended ones, or none. */
export type Standing = 'live' | 'past' | 'none';

export async function readStanding(db: Database, email: string): Promise<Standing> {
  const { isLive } = await queryOne<{ isLive: boolean | null }>(
    db,
    'select bool_or(is_live) as is_live from subscriptions where email_normalised = lower(:email)',
    { email },
  );
  return isLive === null ? 'none' : isLive ? 'live' : 'past';
}
