import type { Database } from '@site/platform/database/connect';
import type { Tier } from '@site/platform/database/tables';
import { ADDRESS_IS_FREE, releaseAddress, leaseAddress } from '@site/platform/outbox/address-lease';
import { closeAttempt, openAttempt, toMessage } from '@site/platform/outbox/attempts';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { endKeyPause, PROBE_INTERVAL_SECONDS, recordInHealth } from '../sync-health/sync-health.repository.ts';

/** One run's tier: what is wanted now, and of which version. */
export type TierRun = { attemptId: string; emailNormalised: string; wanted: Tier; version: number; attempts: number };

// The newsletter must know the subscriber first: the address has a lead that was sent. While paused only a
// fault of our key or publication is probed with a tier, and only when no lead waits to do it.
const IS_DUE = `
  tier.confirmed_version < tier.version and tier.next_attempt_at <= sync_now()
  and exists (select from leads where leads.email_normalised = tier.email_normalised and beehiiv_status = 'sent')
  and (health.paused_since is null or (
    health.pause_setting in ('BEEHIIV_API_KEY', 'BEEHIIV_PUBLICATION_ID') and health.next_probe_at <= sync_now()
    and not exists (select from leads where beehiiv_status = 'pending' and ${ADDRESS_IS_FREE})
  ))`;

/** The address whose tier has waited longest and may be brought about now, or null. */
export async function findDueTier(db: Database): Promise<string | null> {
  const { rows } = await db.raw(
    `select tier.email_normalised from subscriber_tiers tier, sync_health health
     where ${IS_DUE}
       and not exists (select from address_leases lease where lease.email_normalised = tier.email_normalised and lease.leased_until > sync_now())
     order by tier.next_attempt_at limit 1`,
  );
  return rows[0]?.emailNormalised ?? null;
}

export type TierClaim = {
  emailNormalised: string;
  attemptId: string;
  worker: string;
  /** The rate limiter's generation that handed out this run's slot; null where the rate limiter is off. */
  limiterGeneration: number | null;
};

/**
 * Takes the address and puts the attempt on record, beside those of the lead that made the subscriber. Null
 * when the tier is not due (any more), the address is being served, or the slot is void.
 */
export async function claimTier(db: Database, request: TierClaim): Promise<TierRun | null> {
  const { emailNormalised, attemptId, worker, limiterGeneration } = request;
  return db.transaction(async (trx) => {
    if (!(await leaseAddress(trx, emailNormalised, attemptId))) return null;
    const { rows } = await trx.raw(
      `select tier.wanted, tier.version, tier.attempts, lead.id as lead_id, lead.sync_round
       from subscriber_tiers tier, sync_health health, rate_limiter rateLimiter, lateral (
         select id, sync_round from leads
         where leads.email_normalised = tier.email_normalised and beehiiv_status = 'sent'
         order by beehiiv_sent_at desc nulls last, id desc limit 1
       ) lead
       where tier.email_normalised = :emailNormalised and ${IS_DUE}
         and (:limiterGeneration::int is null or rateLimiter.generation = :limiterGeneration)
       for no key update of tier`,
      { emailNormalised, limiterGeneration },
    );
    const [row] = rows;
    if (!row) {
      await releaseAddress(trx, attemptId);
      return null;
    }
    await trx.raw(
      `update sync_health set next_probe_at = sync_now() + make_interval(secs => ?) where paused_since is not null`,
      [PROBE_INTERVAL_SECONDS],
    );
    await openAttempt(trx, { attemptId, worker, leadId: row.leadId, kind: 'tier', round: row.syncRound });
    return { attemptId, emailNormalised, wanted: row.wanted, version: row.version, attempts: row.attempts };
  });
}

/**
 * Records a run's outcome: confirmed by compare-and-set on the version, so that a change of mind meanwhile
 * is brought about next, or put off by `delayMs`.
 */
export async function recordTier(
  db: Database,
  run: TierRun,
  outcome: AttemptOutcome,
  delayMs: number | null,
): Promise<void> {
  const { attemptId, emailNormalised, version } = run;
  const message = toMessage(outcome.message);
  await db.transaction(async (trx) => {
    await closeAttempt(trx, attemptId, outcome);
    const row = trx('subscriber_tiers').where({ emailNormalised });
    if (delayMs === null) {
      await row
        .where('version', '>=', version)
        .where('confirmedVersion', '<', version)
        .update({ confirmedVersion: version, confirmedAt: trx.raw('sync_now()'), lastMessage: message });
    } else {
      await row.where({ version }).update({
        attempts: trx.raw('attempts + ?', [outcome.class === 'transient' || outcome.class === 'permanent' ? 1 : 0]),
        nextAttemptAt: trx.raw('sync_now() + make_interval(secs => ?)', [delayMs / 1_000]),
        lastMessage: message,
      });
    }
    // What the newsletter says of one subscriber's tier says nothing of leads, but a wrong key stops everybody.
    if (outcome.class === 'configuration') await recordInHealth(trx, outcome);
    if (outcome.class === 'accepted') await endKeyPause(trx);
    await releaseAddress(trx, attemptId);
  });
}
