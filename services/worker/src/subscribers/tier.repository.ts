import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { LeadRow, Tier } from '@site/platform/database/tables';
import { readOwnDetails } from '@site/platform/outbox/claim';
import type { OwnDetails } from '@site/platform/outbox/claim';
import { releaseEmail, leaseEmail } from '@site/platform/outbox/email-lease';
import { closeAttempt, openAttempt } from '@site/platform/outbox/attempts';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { lockPeople } from '@site/platform/people/person';
import { recordSubscribers } from '@site/platform/people/subscribers';
import { recordInHealth } from '@site/platform/health/sync-health';
import type { TierDecision } from './tier.policy.ts';

export type TierRun = {
  attemptId: string;
  emailNormalised: string;
  tier: Tier;
  tierVersion: number;
  tierAttempts: number;
  /** A payment asks for the newsletter, and nobody has been activated for it yet. */
  mustActivate: boolean;
  /** They had unsubscribed, and have yet to confirm a later consent. */
  mustConfirm: boolean;
  lead: LeadRow;
  own: OwnDetails;
};

/**
 * Confirms that emails without a sent lead are free: nothing has changed their tier, and anyone
 * added later starts as free.
 */
export async function confirmUnsent(db: Database): Promise<void> {
  await query(
    db,
    `update people set
       tier_confirmed_version = tier_version,
       tier_confirmed_at = sync_now(),
       not_receiving_since = null
     where email_normalised = any(array(
       select email_normalised from people
       where tier_confirmed_version < tier_version and tier = 'free'
         and not exists (
           select from leads
           where leads.email_normalised = people.email_normalised and beehiiv_status = 'sent'
         )
       -- It locks people in any order, so it waits for none. The next run confirms the rest.
       for no key update skip locked
     ))`,
  );
}

/** Finds the email whose tier has been due longest, or returns null. */
export async function findDueTier(db: Database): Promise<string | null> {
  const [due] = await query<{ emailNormalised: string }>(
    db,
    `select people.email_normalised from people, sync_health
     where tier_confirmed_version < tier_version and tier_next_attempt_at <= sync_now()
       and not is_paused_by_setting
       -- The subscriber must exist first.
       and exists (
         select from free_leads
         where free_leads.email_normalised = people.email_normalised and beehiiv_status = 'sent'
       )
     order by tier_next_attempt_at
     limit 1`,
  );
  return due?.emailNormalised ?? null;
}

type DueTier = Pick<
  TierRun,
  'tier' | 'tierVersion' | 'tierAttempts' | 'mustActivate' | 'mustConfirm'
> & { leadId: string };

export type TierClaim = { emailNormalised: string; attemptId: string; worker: string };

/**
 * Claims a tier: leases the email, and opens an attempt with the lead that added the subscriber.
 * Returns null if the tier is not due, the email is leased, or a 429 has closed the rate limiter.
 */
export async function claimTier(db: Database, request: TierClaim): Promise<TierRun | null> {
  const { emailNormalised, attemptId, worker } = request;
  return db.transaction(async (trx) => {
    await lockPeople(trx, [emailNormalised]);
    if (!(await leaseEmail(trx, emailNormalised, attemptId))) return null;
    const [row] = await query<DueTier>(
      trx,
      `select tier, tier_version, tier_attempts, must_activate, must_confirm,
         lead.id as lead_id
       from people, sync_health, rate_limiter, lateral (
         select id from leads
         where leads.email_normalised = people.email_normalised and beehiiv_status = 'sent'
         order by beehiiv_sent_at desc nulls last, id desc limit 1
       ) lead
       where people.email_normalised = :emailNormalised and tier_confirmed_version < tier_version
         and tier_next_attempt_at <= sync_now() and not is_paused_by_setting
         and resumes_at <= sync_now()`,
      { emailNormalised },
    );
    if (!row) {
      await releaseEmail(trx, attemptId);
      return null;
    }
    const { leadId, ...due } = row;
    const lead = await trx<LeadRow>('leads').where({ id: leadId }).first();
    if (!lead) return null;
    await openAttempt(trx, { attemptId, worker, leadId, kind: 'tier', round: lead.syncRound });
    const own = await readOwnDetails(trx, emailNormalised);
    return { attemptId, emailNormalised, lead, own, ...due };
  });
}

/**
 * Stores whether an unsubscribed subscriber must still be reactivated for this version's payment.
 */
export async function recordActivation(
  db: Database,
  { emailNormalised, tierVersion }: TierRun,
  { isDue }: { isDue: boolean },
): Promise<void> {
  await db('people')
    .where({ emailNormalised, tierVersion })
    .update({ mustActivate: isDue, mustConfirm: false });
}

/**
 * Records a run's outcome: the version is confirmed, nobody receives the tier, or a later try is
 * due. If the tier has changed since the claim, its new version stays due.
 */
export async function recordTier(
  db: Database,
  run: TierRun,
  {
    subscriber,
    ...outcome
  }: AttemptOutcome & { subscriber: { id: string; status: string } | null },
  decision: TierDecision,
): Promise<void> {
  const { attemptId, emailNormalised, tierVersion } = run;
  await db.transaction(async (trx) => {
    await lockPeople(trx, [emailNormalised]);
    await closeAttempt(trx, attemptId, outcome);
    if (subscriber) await recordSubscribers(trx, [{ email: emailNormalised, ...subscriber }]);
    const row = trx('people').where({ emailNormalised });
    if (decision.move !== 'wait') {
      await row
        .where('tierVersion', '>=', tierVersion)
        .where('tierConfirmedVersion', '<', tierVersion)
        .update({
          tierConfirmedVersion: tierVersion,
          ...(decision.move === 'confirm'
            ? { tierConfirmedAt: trx.raw('sync_now()'), notReceivingSince: null }
            : { notReceivingSince: trx.raw('coalesce(not_receiving_since, sync_now())') }),
        });
    } else {
      await row.where({ tierVersion }).update({
        tierAttempts: trx.raw('tier_attempts + ?', [
          outcome.class === 'transient' || outcome.class === 'permanent' ? 1 : 0,
        ]),
        tierNextAttemptAt: trx.raw('sync_now() + make_interval(secs => ?)', [
          decision.delayMs / 1_000,
        ]),
      });
    }
    // A failed tier proves nothing about leads, but a wrong key affects all of them.
    if (outcome.class === 'configuration') await recordInHealth(trx, outcome, false);
    await releaseEmail(trx, attemptId);
  });
}
