import type { Database } from '@site/platform/database/connect';
import { ADDRESS_IS_FREE } from '@site/platform/outbox/address-lease';
import { PROBE_INTERVAL_SECONDS } from '../sync-health/sync-health.repository.ts';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';

/*
 * How the sync comes back by itself: out of a pause by a probe, one waiting lead that is tried; and out of an
 * outage by making all due who waited through it. Both are the sweep's to do.
 */

const WAITED_THROUGH_OUTAGE = `
  beehiiv_status = 'pending' and next_attempt_at > sync_now() and sync_attempts > 0
  and round_started_at < last_outage_to and (claimed_until is null or claimed_until <= sync_now())`;

/**
 * After an outage, makes those due now who waited through it, at most `limit`, and says whether some are
 * left. In steps of their own: there may be a hundred thousand, and the acceptance that ended the outage
 * cannot wait for them. That their budget is fresh each learns at its next claim.
 */
export async function makeDueAfterOutage(trx: Database, limit: number): Promise<boolean> {
  await trx.raw(
    `update leads set next_attempt_at = sync_now() where id in (
       select leads.id from leads, sync_health where ${WAITED_THROUGH_OUTAGE}
       order by next_attempt_at limit :limit for no key update of leads skip locked
     )`,
    { limit },
  );
  const { rows } = await trx.raw(
    `update sync_health set is_making_due = exists (select from leads where ${WAITED_THROUGH_OUTAGE}) returning is_making_due`,
  );
  return rows[0]?.isMakingDue === true;
}

/**
 * The one waiting lead that may run while the sync is paused, or null when none may now. When the next probe
 * is due this names another one, due or not, whose address is free; until its run begins it is named again,
 * so that a lost job costs a sweep and not a probe.
 */
export async function chooseProbe(trx: Database): Promise<string | null> {
  await trx.raw(
    `with probe as (
       update leads set next_attempt_at = least(next_attempt_at, sync_now()) where id = (
         select leads.id from leads, sync_health where paused_since is not null and next_probe_at <= sync_now()
           and beehiiv_status = 'pending' and (claimed_until is null or claimed_until <= sync_now())
           and ${ADDRESS_IS_FREE} and ${IS_NOT_CORRECTED}
         order by next_attempt_at limit 1 for no key update of leads skip locked
       ) returning id
     )
     update sync_health set next_probe_at = sync_now() + make_interval(secs => ?), probe_lead_id = probe.id from probe`,
    [PROBE_INTERVAL_SECONDS],
  );
  const row = await trx('sync_health').whereNotNull('pausedSince').first('probeLeadId');
  return row?.probeLeadId ?? null;
}
