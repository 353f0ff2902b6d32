import type { Database } from '@site/platform/database/connect';
import type { SubscriptionRow } from '@site/platform/database/tables';
import type { SubscriptionSnapshot } from './stripe-reading.ts';

/** In which the reader gets the paid issue. */
const LIVE_STATUSES = ['trialing', 'active', 'past_due'];

/** The time of a reading, on the one clock that all API processes share. */
export async function readDatabaseClock(db: Database): Promise<string> {
  const { rows } = await db.raw('select clock_timestamp()::text as now');
  return rows[0].now;
}

/** Makes everything about one subscription wait in line until the transaction ends. The row may not exist yet, so the id is locked. */
export async function lockSubscription(trx: Database, stripeSubscriptionId: string): Promise<void> {
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('subscription ' || ?, 0))`, [stripeSubscriptionId]);
}

export type NewSubscription = SubscriptionSnapshot & { id: string; email: string };

/** Stores what was read unless something read later is stored already; tells whether it was stored. Whose it is stays as it began. */
export async function storeSnapshot(trx: Database, subscription: NewSubscription): Promise<boolean> {
  const { rows } = await trx.raw(
    `insert into subscriptions (id, email, stripe_subscription_id, stripe_customer_id, status, plan, coupon,
         amount_pence, trial_ends_at, period_ends_at, cancel_at, snapshot_at)
       values (:id, :email, :stripeSubscriptionId, :stripeCustomerId, :status, :plan, :coupon,
         :amountPence, :trialEndsAt, :periodEndsAt, :cancelAt, :readAt)
     on conflict (stripe_subscription_id) do update set
       stripe_customer_id = excluded.stripe_customer_id, status = excluded.status, plan = excluded.plan,
       coupon = excluded.coupon, amount_pence = excluded.amount_pence, trial_ends_at = excluded.trial_ends_at,
       period_ends_at = excluded.period_ends_at, cancel_at = excluded.cancel_at, snapshot_at = excluded.snapshot_at
       where subscriptions.snapshot_at < excluded.snapshot_at
     returning id`,
    subscription,
  );
  return rows.length > 0;
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

/** Notes which checkout a subscription came from, and who paid there. */
export async function linkCheckout(
  trx: Database,
  stripeSubscriptionId: string,
  checkout: Pick<SubscriptionRow, 'name' | 'phone'> & { id: string },
): Promise<void> {
  await trx.raw(
    `update subscriptions set stripe_checkout_session_id = coalesce(stripe_checkout_session_id, :id),
       name = coalesce(:name, name), phone = coalesce(:phone, phone)
     where stripe_subscription_id = :stripeSubscriptionId`,
    { ...checkout, stripeSubscriptionId },
  );
}

/** What an address has with us: a live subscription, only ended ones, or none. */
export type Standing = 'live' | 'past' | 'none';

export async function readStanding(db: Database, email: string): Promise<Standing> {
  const { rows } = await db.raw(
    'select bool_or(status = any(:live)) as is_live from subscriptions where email_normalised = lower(:email)',
    { live: LIVE_STATUSES, email },
  );
  const isLive: boolean | null = rows[0].isLive;
  return isLive === null ? 'none' : isLive ? 'live' : 'past';
}
