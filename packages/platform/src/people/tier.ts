import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { Tier } from '../database/tables.ts';

/*
 * The tier that a person should have at Beehiiv. It can change back and forth, so it has a version
 * and the last confirmed version. While these differ, the worker has work. `judge_person` sets the
 * tier, and the trigger `raise_tier` makes each new version due.
 * Before: a change of a subscription or free access, in the API. Next:
 * `person/person.processor.ts` in the worker.
 */

/**
 * Makes the payer of a live subscription active once, in the caller's transaction. Call it when the
 * subscription starts or gets its correct email. A payment asks for the newsletter, even if a
 * premium payer has unsubscribed.
 */
export const activatePayer = (trx: Database, stripeSubscriptionId: string): Promise<number> =>
  activateOnce(trx).whereIn(
    'emailNormalised',
    trx('subscriptions').where({ stripeSubscriptionId, isLive: true }).select('emailNormalised'),
  );

/**
 * Has a person made active once whose email we had unsubscribed, because the email is theirs now.
 * Their next lead or premium tier activates them. Call it after moving a lead to the email, or
 * giving its person free access.
 */
export const undoOwnUnsubscription = (trx: Database, email: string): Promise<number> =>
  activateOnce(trx)
    .whereRaw('email_normalised = normalised_email(?)', [email])
    .whereNotNull('unsubscribedByUsAt');

const activateOnce = (trx: Database) =>
  trx('people')
    .where({ mustActivate: false })
    .update({
      mustActivate: true,
      tierVersion: trx.raw(`tier_version + coalesce(tier = 'premium', false)::int`),
    });

/** Sends a confirmed tier again, in the caller's transaction, because Beehiiv has another tier. */
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
