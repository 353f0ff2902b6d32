import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { Tier } from '../database/tables.ts';

/*
 * A person's row in `people`. The function `refresh_person` in the schema writes who they are, and alone
 * inserts and deletes rows. Callers: whatever changes a lead, a subscription or free access, in its
 * transaction, and the API right after a new lead. `subscribers.ts` writes what Beehiiv says.
 */

/** Writes who somebody is, after a change of their leads, subscriptions or free access. */
export async function refreshPerson(db: Database, email: string): Promise<void> {
  await query(db, 'select refresh_person(lower(:email))', { email });
}

/*
 * The order of locks. A transaction that changes people first locks every lead of their emails, by
 * email and id as the database sorts them, then the people in the same order. `refresh_person` then waits
 * for no lead.
 */

/** Locks every lead of the emails of these leads, until the transaction ends. */
export async function lockLeadsOf(trx: Database, leadIds: string[]): Promise<void> {
  await query(
    trx,
    `select from leads where email_normalised = any(array(
       select email_normalised from leads where id = any(:leadIds::uuid[])
     ))
     order by email_normalised, id for no key update`,
    { leadIds },
  );
}

/**
 * Lets one transaction at a time delete leads. Call it before any other lock: two of them would
 * wait for each other's leads and people.
 */
export async function lockDeletion(trx: Database): Promise<void> {
  await query(trx, `select pg_advisory_xact_lock(hashtext('delete leads'))`);
}

/** Refreshes several people in the order of every other transaction. */
export async function refreshPeople(trx: Database, emails: string[]): Promise<void> {
  await query(
    trx,
    `select refresh_person(email_normalised) from (
       select distinct lower(email) as email_normalised from unnest(:emails::text[]) email order by 1
     ) ordered`,
    { emails },
  );
}

/** Refreshes the people of these leads, in the same order. */
export async function refreshPeopleOf(trx: Database, leadIds: string[]): Promise<void> {
  await query(
    trx,
    `select refresh_person(email_normalised) from (
       select distinct email_normalised from leads where id = any(:leadIds::uuid[]) order by 1
     ) theirs`,
    { leadIds },
  );
}

const MAX_MISSING = 500;

/**
 * Refreshes people of the last day's leads whose row is missing or older than their lead. Returns how
 * many. The nightly comparison refreshes the rest.
 */
export async function refreshMissing(db: Database, signal: AbortSignal): Promise<number> {
  let refreshed = 0;
  for (let found = MAX_MISSING; found === MAX_MISSING && !signal.aborted;) {
    const missing = await query<{ emailNormalised: string }>(
      db,
      `select distinct email_normalised from leads
       where submitted_at > sync_now() - interval '1 day' and not exists (
         select from people
         where people.email_normalised = leads.email_normalised and seen_at >= submitted_at)
       limit :limit`,
      { limit: MAX_MISSING },
    );
    // Each in a transaction of its own, so that it holds one lock at a time.
    for (const { emailNormalised } of missing) await refreshPerson(db, emailNormalised);
    found = missing.length;
    refreshed += found;
  }
  return refreshed;
}

/*
 * The tier that a person should have at Beehiiv. It can change back and forth, so it has a version
 * and the last confirmed version. While they differ, the worker has work. The trigger `raise_tier`
 * makes each new version due.
 * Before: a change of a subscription, in the API. Next: `subscribers/tier.processor.ts` in the
 * worker.
 */

/**
 * Sets the wanted tier of an email, in the caller's transaction. Does nothing if it is set already,
 * or if it is "free" and the email was never premium: every subscriber starts as free. With
 * `isPayment`, somebody who becomes premium is made active once, from any earlier state: only a
 * payment of theirs asks for the newsletter. The waiting leads of a premium email come first from
 * then on.
 */
export async function wantTier(
  trx: Database,
  email: string,
  tier: Tier,
  { isPayment = false } = {},
): Promise<void> {
  // Leads before the tier: the outcome of a lead locks them in this order.
  if (tier === 'premium') {
    await query(
      trx,
      `update leads set urgency = 'priority'
       where email_normalised = lower(:email) and beehiiv_status = 'pending'
         and urgency <> 'priority'`,
      { email },
    );
  }
  await refreshPerson(trx, email);
  await query(
    trx,
    `update people set
       tier = :tier,
       tier_version = tier_version + 1,
       must_activate = :tier = 'premium' and :isPayment
     where email_normalised = lower(:email) and tier is distinct from :tier
       and (:tier = 'premium' or tier is not null)`,
    { email, tier, isPayment },
  );
}

/**
 * Makes the payer of a live subscription active once, in the caller's transaction. Call it when the
 * subscription starts or gets its correct email: a payment asks for the newsletter, even from somebody premium who has
 * unsubscribed.
 */
export async function activatePayer(trx: Database, stripeSubscriptionId: string): Promise<void> {
  await query(
    trx,
    `update people set must_activate = true, tier_version = tier_version + 1
     from subscriptions paid
     where paid.stripe_subscription_id = :stripeSubscriptionId and paid.is_live
       and people.email_normalised = paid.email_normalised
       and tier = 'premium' and not must_activate`,
    { stripeSubscriptionId },
  );
}

/** Sends a confirmed tier again, in the caller's transaction, because Beehiiv has another one. */
export async function requestTier(
  trx: Database,
  emailNormalised: string,
  tier: Tier,
): Promise<void> {
  await query(
    trx,
    `update people set tier = :tier, tier_version = tier_version + 1
     where email_normalised = :emailNormalised and coalesce(tier, :tier) = :tier`,
    { emailNormalised, tier },
  );
}
