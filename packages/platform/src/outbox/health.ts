import type { Database } from '../database/connect.ts';
import type { Run } from './claim.ts';
import type { AttemptOutcome } from './attempts.ts';

/*
 * How the newsletter is doing, in one row: paused and why, how many refusals and outages in a row, and
 * when it last accepted. All processes read it, whichever of them learned it.
 */

/** While paused, one waiting lead is tried this often. */
const PROBE_INTERVAL_SECONDS = 15;
/** So many refusals in a row without an acceptance are taken for one bad setting. */
const PERMANENT_STREAK_PAUSES = 20;
/** So many transient faults in a row are an outage; its end gives all who wait a fresh budget. */
export const OUTAGE_STREAK = 5;

export type SyncHealth = {
  pausedSince: Date | null;
  pauseReason: string | null;
  pauseSetting: string | null;
  nextProbeAt: Date | null;
  permanentStreak: number;
  /** When the first of them was refused: who failed since may be tried again once the setting is put right. */
  permanentSince: Date | null;
  transientStreak: number;
  transientSince: Date | null;
  lastAcceptedAt: Date | null;
  /** Fields of ours that the publication lacks; they are not sent. */
  missingFields: string[];
  fieldsCheckedAt: Date | null;
  reconciledAt: Date;
  /** When the refusals in a row were that made the last such pause; `To` is null while it lasts. */
  refusalsFrom: Date | null;
  refusalsTo: Date | null;
  lastOutageFrom: Date | null;
  lastOutageTo: Date | null;
};

export async function readSyncHealth(db: Database): Promise<SyncHealth> {
  const row = await db('sync_health').first<SyncHealth | undefined>();
  if (!row) throw new Error('sync_health has lost its row: run the migrations again');
  return row;
}

/** Keeps the row with one run's outcome: counts streaks, pauses everyone on a fault of our settings, resumes on an acceptance. */
export async function recordInHealth(trx: Database, outcome: AttemptOutcome): Promise<void> {
  switch (outcome.class) {
    case 'accepted':
      return recordAcceptance(trx);
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

async function pause(trx: Database, reason: string, setting: string): Promise<void> {
  await trx('sync_health').update({
    pausedSince: trx.raw('coalesce(paused_since, sync_now())'),
    pauseReason: reason.slice(0, 500),
    pauseSetting: setting,
    nextProbeAt: trx.raw('coalesce(next_probe_at, sync_now() + make_interval(secs => ?))', [PROBE_INTERVAL_SECONDS]),
  });
}

async function recordAcceptance(trx: Database): Promise<void> {
  const { rows } = await trx.raw(
    `update sync_health set paused_since = null, pause_reason = null, pause_setting = null, next_probe_at = null,
       probe_lead_id = null, permanent_streak = 0, permanent_since = null, transient_streak = 0, transient_since = null, last_accepted_at = sync_now(),
       refusals_to = case when refusals_from is null then null else coalesce(refusals_to, sync_now()) end,
       last_outage_from = case when transient_streak >= :outage then transient_since else last_outage_from end,
       last_outage_to = case when transient_streak >= :outage then sync_now() else last_outage_to end
     from (select transient_streak as streak from sync_health for update) before
     returning before.streak`,
    { outage: OUTAGE_STREAK },
  );
  if (rows[0]?.streak >= OUTAGE_STREAK) await refreshBudgets(trx);
}

/** After an outage nobody is closer to failing than before it: all that wait for another try have it now, with a fresh budget. */
async function refreshBudgets(trx: Database): Promise<void> {
  await trx('leads')
    .where({ beehiivStatus: 'pending' })
    .whereNull('claim')
    .where('syncAttempts', '>', 0)
    .update({ syncAttempts: 0, roundStartedAt: null, nextAttemptAt: trx.raw('sync_now()') });
}

/**
 * While paused and when the next probe is due: names one waiting lead that may run, another each time,
 * and returns its id. Null when not paused, not due, or nobody waits.
 */
export async function chooseProbe(trx: Database): Promise<string | null> {
  const { rows } = await trx.raw(
    `update sync_health set next_probe_at = sync_now() + make_interval(secs => ?), probe_lead_id = (
       select id from leads where beehiiv_status = 'pending' and next_attempt_at <= sync_now()
       and (claimed_until is null or claimed_until <= sync_now()) order by next_attempt_at limit 1
     )
     where paused_since is not null and next_probe_at <= sync_now() and exists (
       select from leads where beehiiv_status = 'pending' and next_attempt_at <= sync_now()
     )
     returning probe_lead_id`,
    [PROBE_INTERVAL_SECONDS],
  );
  return rows[0]?.probeLeadId ?? null;
}

/** What a decision about a run's lead must know: on the database's clock, after the answer came. */
export async function readSituation(
  db: Database,
  run: Run,
): Promise<{ attemptsSpent: number; roundAgeMs: number; hasAcceptedSince: boolean; isPaused: boolean }> {
  const { rows } = await db.raw(
    `select sync_attempts as attempts_spent, paused_since is not null as is_paused,
       extract(epoch from sync_now() - round_started_at) * 1000 as round_age_ms,
       coalesce(last_accepted_at > round_started_at, false) as has_accepted_since
     from leads, sync_health where leads.id = ?`,
    [run.lead.id],
  );
  const [row] = rows;
  if (!row) return { attemptsSpent: 0, roundAgeMs: 0, hasAcceptedSince: false, isPaused: false };
  return { ...row, roundAgeMs: Number(row.roundAgeMs ?? 0) };
}

/** Keeps which of our fields the publication lacks; true when that differs from what was known. */
export async function recordFields(db: Database, missing: readonly string[]): Promise<boolean> {
  const { rows } = await db.raw(
    `update sync_health set missing_fields = :missing, fields_checked_at = sync_now()
     from (select missing_fields as was from sync_health for update) before
     returning before.was is distinct from :missing::text[] as is_new`,
    { missing: [...missing] },
  );
  return rows[0]?.isNew === true;
}
