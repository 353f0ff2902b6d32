import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { Tier } from '../database/tables.ts';

/*
 * The tier that an email should have at Beehiiv. It can change back and forth, so its row has a
 * version and the last confirmed version. While they differ, the worker has work.
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
  wanted: Tier,
  { isPayment = false } = {},
): Promise<void> {
  // Leads before the tier: the outcome of a lead locks them in this order.
  if (wanted === 'premium') {
    await query(
      trx,
      `update leads set urgency = 'first'
       where email_normalised = lower(:email) and beehiiv_status = 'pending' and urgency <> 'first'`,
      { email },
    );
  }
  await query(
    trx,
    `insert into subscriber_tiers (email_normalised, wanted, must_activate)
       select lower(:email), :wanted, :wanted = 'premium' and :isPayment
       where :wanted = 'premium' or exists (select from subscriber_tiers where email_normalised = lower(:email))
     on conflict (email_normalised) do update set wanted = excluded.wanted, version = subscriber_tiers.version + 1,
       must_activate = excluded.must_activate, attempts = 0, next_attempt_at = sync_now(), last_message = null
       where subscriber_tiers.wanted <> excluded.wanted`,
    { email, wanted, isPayment },
  );
}

/**
 * Makes the payer of a live subscription active once, in the caller's transaction. Call it
 * when the subscription starts: a payment asks for the newsletter, also from somebody who was premium already and has
 * unsubscribed.
 */
export async function activatePayer(trx: Database, stripeSubscriptionId: string): Promise<void> {
  await query(
    trx,
    `update subscriber_tiers tier set must_activate = true, version = tier.version + 1, attempts = 0,
       next_attempt_at = sync_now(), last_message = null
     from subscriptions paid
     where paid.stripe_subscription_id = :stripeSubscriptionId and paid.is_live
       and tier.email_normalised = paid.email_normalised and tier.wanted = 'premium'
       and not tier.must_activate`,
    { stripeSubscriptionId },
  );
}

/** Sends a confirmed tier again, in the caller's transaction, because Beehiiv has another one. */
export async function requestTier(
  trx: Database,
  emailNormalised: string,
  wanted: Tier,
): Promise<void> {
  await query(
    trx,
    `insert into subscriber_tiers (email_normalised, wanted) values (:emailNormalised, :wanted)
     on conflict (email_normalised) do update set version = subscriber_tiers.version + 1, attempts = 0,
       next_attempt_at = sync_now(), last_message = null
       where subscriber_tiers.wanted = excluded.wanted`,
    { emailNormalised, wanted },
  );
}

/** Sends a premium tier again, in the caller's transaction: a subscriber who was added again starts as free. */
export async function reassertTier(trx: Database, emailNormalised: string): Promise<void> {
  await trx('subscriber_tiers')
    .where({ emailNormalised, wanted: 'premium' })
    .whereRaw('confirmed_version = version')
    .update({ version: trx.raw('version + 1'), attempts: 0, nextAttemptAt: trx.raw('sync_now()') });
}
