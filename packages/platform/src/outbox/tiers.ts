import type { Database } from '../database/connect.ts';
import type { Tier } from '../database/tables.ts';

/*
 * Which tier an address is to have at the newsletter. Unlike a lead it goes back and forth, so the row
 * holds what is wanted, its version, and the last version known to be there; they differ while there is
 * work. The only code that writes `subscriber_tiers`.
 */

/**
 * Says which tier an address is to have, in the transaction of what decides it. Nothing happens when that
 * is wanted already; "free" of an address that never was premium is how every subscriber begins.
 */
export async function wantTier(trx: Database, email: string, wanted: Tier): Promise<void> {
  await trx.raw(
    `insert into subscriber_tiers (email_normalised, wanted)
       select lower(:email), :wanted
       where :wanted = 'premium' or exists (select from subscriber_tiers where email_normalised = lower(:email))
     on conflict (email_normalised) do update set wanted = excluded.wanted, version = subscriber_tiers.version + 1,
       attempts = 0, next_attempt_at = sync_now(), last_message = null
       where subscriber_tiers.wanted <> excluded.wanted`,
    { email, wanted },
  );
}

/**
 * Brings a premium subscriber's tier about once more: a subscriber who was added again begins as everybody does.
 * In the transaction that records the acceptance.
 */
export async function reassertTier(trx: Database, emailNormalised: string): Promise<void> {
  await trx('subscriber_tiers')
    .where({ emailNormalised, wanted: 'premium' })
    .whereRaw('confirmed_version = version')
    .update({ version: trx.raw('version + 1'), attempts: 0, nextAttemptAt: trx.raw('sync_now()') });
}
