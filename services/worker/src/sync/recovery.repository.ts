import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { SyncHealthRow } from '@site/platform/database/tables';
import { ADDRESS_IS_FREE } from '@site/platform/outbox/address-lease';
import { PROBE_INTERVAL_SECONDS } from '../sync-health/sync-health.repository.ts';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';

/*
 * How the sync recovers. A pause ends when a probe succeeds, which is one waiting lead. After an outage, the leads that
 * waited through it become due. The sweep does both.
 */

const WAITED_THROUGH_OUTAGE = `
  beehiiv_status = 'pending' and next_attempt_at > sync_now() and sync_attempts > 0
  and round_started_at < last_outage_to and (claimed_until is null or claimed_until <= sync_now())`;

/**
 * Makes at most `limit` leads due that waited through an outage. Returns true if more are left. A step of its own, since
 * there may be a hundred thousand of them. Each gets its fresh budget at its next claim.
 */
export async function makeDueAfterOutage(trx: Database, limit: number): Promise<boolean> {
  await query(
    trx,
    `update leads set next_attempt_at = sync_now() where id in (
       select leads.id from leads, sync_health where ${WAITED_THROUGH_OUTAGE}
       order by next_attempt_at limit :limit for no key update of leads skip locked
     )`,
    { limit },
  );
  const { isMakingDue } = await queryOne<{ isMakingDue: boolean }>(
    trx,
    `update sync_health set is_making_due = exists (select from leads where ${WAITED_THROUGH_OUTAGE}) returning is_making_due`,
  );
  return isMakingDue;
}

/**
 * Chooses the one lead that may run during a pause. Returns null if the sync is not paused, or if no probe is due. A lead
 * stays chosen until its run starts, so that a lost job costs one sweep and not the probe.
 */
export async function chooseProbe(trx: Database): Promise<string | null> {
  await query(
    trx,
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
  const row = await trx<SyncHealthRow>('sync_health').whereNotNull('pausedSince').first('probeLeadId');
  return row?.probeLeadId ?? null;
}
