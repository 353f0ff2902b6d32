import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { toMessage } from '@site/platform/outbox/attempts';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { OUTAGE_STREAK } from '@site/platform/sync-health';

/*
 * Writes the one row of `sync_health`: pause, failures in a row, latest acceptance. All processes read it, so that what
 * one learns holds for all.
 */

/** During a pause, one lead is tried this often. */
export const PROBE_INTERVAL_SECONDS = 15;
/** This many permanent failures in a row are taken to have one cause: a wrong setting. */
const PERMANENT_STREAK_PAUSES = 20;

/** Records one outcome: counts failures in a row, pauses the sync if a setting is wrong, and resumes it on an acceptance. */
export async function recordInHealth(trx: Database, outcome: AttemptOutcome): Promise<void> {
  switch (outcome.class) {
    case 'accepted':
      return recordAcceptance(trx, outcome.hasAdded === true);
    case 'transient':
      await trx('sync_health').update({
        transientStreak: trx.raw('transient_streak + 1'),
        transientSince: trx.raw('coalesce(transient_since, sync_now())'),
      });
      return;
    case 'permanent': {
      const [row] = await trx('sync_health')
        .update({
          permanentStreak: trx.raw('permanent_streak + 1'),
          permanentSince: trx.raw('coalesce(permanent_since, sync_now())'),
        })
        .returning<{ permanentStreak: number }[]>('permanentStreak');
      if (row && row.permanentStreak >= PERMANENT_STREAK_PAUSES) {
        await pause(
          trx,
          `${PERMANENT_STREAK_PAUSES} refusals in a row. The last: ${outcome.message}`,
          'BEEHIIV_* settings',
        );
        await trx('sync_health').update({ refusalsFrom: trx.raw('permanent_since'), refusalsTo: null });
      }
      return;
    }
    case 'configuration':
      return pause(trx, outcome.message, outcome.setting ?? 'BEEHIIV_API_KEY');
    case 'rate-limited':
    case 'unknown':
      return;
  }
}

/** The reason of a pause goes to the alert webhook, so it must not contain anyone's address. */
const withoutAddresses = (reason: string) =>
  reason.replaceAll(/[^\s"'<>(),;:]+(?:@|%40)[^\s"'<>(),;:]+/gi, '(an address)');

async function pause(trx: Database, reason: string, setting: string): Promise<void> {
  await trx('sync_health').update({
    pausedSince: trx.raw('coalesce(paused_since, sync_now())'),
    pauseReason: toMessage(withoutAddresses(reason), 500),
    pauseSetting: setting,
    nextProbeAt: trx.raw('coalesce(next_probe_at, sync_now() + make_interval(secs => ?))', [PROBE_INTERVAL_SECONDS]),
  });
}

async function recordAcceptance(trx: Database, hasAdded: boolean): Promise<void> {
  await query(
    trx,
    `update sync_health set paused_since = null, pause_reason = null, pause_setting = null, next_probe_at = null,
       probe_lead_id = null, permanent_streak = 0, permanent_since = null, transient_streak = 0, transient_since = null,
       last_accepted_at = sync_now(), last_added_at = case when :hasAdded then sync_now() else last_added_at end,
       refusals_to = case when refusals_from is null then null else coalesce(refusals_to, sync_now()) end,
       last_outage_from = case when transient_streak >= :outage then transient_since else last_outage_from end,
       last_outage_to = case when transient_streak >= :outage then sync_now() else last_outage_to end,
       is_making_due = is_making_due or transient_streak >= :outage`,
    { hasAdded, outage: OUTAGE_STREAK },
  );
}

/** Records which of our fields the publication lacks. Returns true if that has changed. */
export async function recordFields(db: Database, missing: readonly string[]): Promise<boolean> {
  const [recorded] = await query<{ isNew: boolean }>(
    db,
    `update sync_health set missing_fields = :missing, fields_checked_at = sync_now()
     from (select missing_fields as was from sync_health for update) before
     returning before.was is distinct from :missing::text[] as is_new`,
    { missing: [...missing] },
  );
  return recorded?.isNew === true;
}

/** Ends a pause for a wrong key or publication. An accepted tier proves those right, but no other setting. */
export async function endKeyPause(trx: Database): Promise<void> {
  await trx('sync_health')
    .whereIn('pauseSetting', ['BEEHIIV_API_KEY', 'BEEHIIV_PUBLICATION_ID'])
    .update({ pausedSince: null, pauseReason: null, pauseSetting: null, nextProbeAt: null, probeLeadId: null });
}
