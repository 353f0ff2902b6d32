import type { AnswerReason } from '@site/schema/beehiiv-answers';
import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { SyncHealthRow } from '../database/tables.ts';
import { toMessage } from '../outbox/attempts.ts';
import type { AttemptOutcome } from '../outbox/attempts.ts';

/*
 * The sync's health: one row, written by the workers.
 * - A configuration pause: key or publication is wrong, so nothing is sent.
 * - A refusal pause: one wrong setting may refuse everybody, so refused leads wait instead of
 * failing.
 * - An outage: Beehiiv fails for everybody, so failed leads wait for its end.
 * In a refusal pause or an outage each new lead is tried once, so that nobody waits behind failed
 * leads. The row is written only when something changes. Otherwise every run would wait for it.
 */

/** This many transient failures in a row are an outage. */
export const OUTAGE_STREAK = 5;

/** This many refusals in a row are a refusal pause. */
export const REFUSAL_STREAK = 20;

export async function readSyncHealth(db: Database): Promise<SyncHealthRow> {
  const row = await db<SyncHealthRow>('sync_health').first();
  if (!row) throw new Error('sync_health has lost its row: run the migrations again');
  return row;
}

/**
 * Makes pending leads due that wait for their own backoff, since before the outage. They are few,
 * because more failures in a row would be an outage. Returns their number.
 */
async function makeBackedOffDue(db: Database): Promise<number> {
  const next = db('leads')
    .select('id')
    .where({ beehiivStatus: 'pending' })
    .whereRaw('next_attempt_at > sync_now()');
  return (
    db('leads')
      // Checked again, because a run may end meanwhile.
      .where({ beehiivStatus: 'pending' })
      .whereIn('id', next.orderBy('nextAttemptAt').limit(OUTAGE_STREAK))
      .update({ nextAttemptAt: db.raw('sync_now()') })
  );
}

/**
 * Makes the probe of a pause or an outage due now, and the leads that failed before the outage. A
 * worker sends them within seconds. Returns false if nothing waits.
 */
export async function makeProbeDue(db: Database): Promise<boolean> {
  const changed = await db('sync_health')
    .whereRaw('is_paused_by_setting or waits_for_beehiiv')
    .update({ nextProbeAt: db.raw('sync_now()') });
  return changed + (await makeBackedOffDue(db)) > 0;
}

/**
 * Records one outcome of a lead: counts failures in a row, pauses the sync if a setting is wrong,
 * and resumes it on an acceptance.
 */
export async function recordInHealth(
  db: Database,
  outcome: AttemptOutcome,
  isSignForAll: boolean,
): Promise<void> {
  switch (outcome.class) {
    case 'accepted':
      return outcome.hasAdded === true ? recordAddition(db) : recordUpdate(db);
    case 'transient':
      return isSignForAll ? recordTransient(db) : undefined;
    case 'permanent':
      await endOutage(db);
      return outcome.hasAdded === true && isSignForAll ? recordRefusal(db, outcome) : undefined;
    case 'configuration':
      return pause(db, outcome.message, outcome.setting ?? 'BEEHIIV_API_KEY');
    case 'rate-limited':
    case 'unknown':
      return;
  }
}

/** Makes the few failed leads with their own backoff due, if Beehiiv failed until this answer. */
async function endWaits(db: Database, written: { failed: number }[]): Promise<void> {
  if (written.some(({ failed }) => failed > 0)) await makeBackedOffDue(db);
}

/**
 * Records an accepted addition, which ends pauses, the outage and the count of refusals.
 * Acceptances within a second are recorded once.
 */
async function recordAddition(db: Database): Promise<void> {
  const written = await query<{ failed: number }>(
    db,
    `update sync_health set
       failure_streak = 0,
       transient_since = null,
       paused_since = null,
       pause_reason = null,
       pause_setting = null,
       refusal_streak = 0,
       permanent_since = null,
       last_accepted_at = sync_now(),
       last_added_at = sync_now(),
       refusals_to = case when refusals_from is not null then coalesce(refusals_to, sync_now()) end
     from (select failure_streak as failed from sync_health) before
     where failure_streak > 0 or paused_since is not null or refusal_streak > 0
       or last_added_at is null or last_added_at < sync_now() - interval '1 second'
     returning failed`,
    {},
    'record addition',
  );
  await endWaits(db, written);
}

/**
 * Records an accepted update. It ends an outage, but proves nothing about the settings of
 * additions.
 */
async function recordUpdate(db: Database): Promise<void> {
  const written = await query<{ failed: number }>(
    db,
    `update sync_health set
       failure_streak = 0,
       transient_since = null,
       last_accepted_at = sync_now()
     from (select failure_streak as failed from sync_health) before
     where failure_streak > 0 or last_accepted_at is null
       or last_accepted_at < sync_now() - interval '1 second'
     returning failed`,
  );
  await endWaits(db, written);
}

/** Ends an outage: Beehiiv has answered, even if with a refusal. */
export async function endOutage(db: Database): Promise<void> {
  const written = await query<{ failed: number }>(
    db,
    `update sync_health set failure_streak = 0, transient_since = null
     from (select failure_streak as failed from sync_health) before
     where failure_streak > 0
     returning failed`,
  );
  await endWaits(db, written);
}

async function recordTransient(db: Database): Promise<void> {
  await query(
    db,
    `update sync_health set
       failure_streak = failure_streak + 1,
       transient_since = coalesce(transient_since, sync_now()),
       next_probe_at = case
         when failure_streak + 1 = :outage and refusal_streak < :pause
         then sync_now() + interval '15 seconds'
         else next_probe_at
       end
     where failure_streak < :outage`,
    { outage: OUTAGE_STREAK, pause: REFUSAL_STREAK },
  );
}

/** Counts a refused addition, and pauses the sync at the twentieth. */
async function recordRefusal(
  db: Database,
  { message, setting = 'BEEHIIV_* settings' }: AttemptOutcome,
): Promise<void> {
  const counted = await query(
    db,
    `update sync_health set
       refusal_streak = refusal_streak + 1,
       permanent_since = coalesce(permanent_since, sync_now())
     where refusal_streak < :pause - 1 and paused_since is null
     returning id`,
    { pause: REFUSAL_STREAK },
  );
  if (counted.length > 0) return;
  await query(
    db,
    `update sync_health set
       refusal_streak = :pause,
       paused_since = sync_now(),
       pause_reason = :reason,
       pause_setting = :setting,
       next_probe_at = sync_now() + interval '15 seconds',
       refusals_from = permanent_since,
       refusals_to = null
     where refusal_streak = :pause - 1 and paused_since is null`,
    {
      pause: REFUSAL_STREAK,
      reason: toReason(`${REFUSAL_STREAK} refusals in a row. The last: ${message}`),
      setting,
    },
  );
}

/** The reason of a pause goes to the alert webhook, so it must not hold an email. */
const toReason = (reason: string) =>
  toMessage(reason.replaceAll(/[^\s"'<>(),;:]+(?:@|%40)[^\s"'<>(),;:]+/gi, '(an email)'), 500);

/**
 * Pauses the sync until a probe is accepted. Replaces a refusal pause, which the setting may have
 * caused.
 */
export async function pause(db: Database, reason: string, setting: string): Promise<void> {
  await query(
    db,
    `update sync_health set
       paused_since = coalesce(paused_since, sync_now()),
       pause_reason = :reason,
       pause_setting = :setting,
       refusal_streak = 0,
       permanent_since = null,
       next_probe_at = case
         when is_paused_by_setting then next_probe_at
         else sync_now() + interval '15 seconds'
       end
     where not is_paused_by_setting or pause_setting <> :setting`,
    { reason: toReason(reason), setting },
  );
}

export async function endPause(db: Database): Promise<void> {
  await query(
    db,
    `update sync_health set paused_since = null, pause_reason = null, pause_setting = null
     where is_paused_by_setting`,
  );
}

/** Claims the next probe of a pause or an outage. Returns true in one process, every 15 s. */
export async function claimProbe(db: Database): Promise<boolean> {
  const claimed = await query(
    db,
    `update sync_health set next_probe_at = sync_now() + interval '15 seconds'
     where (is_paused_by_setting or waits_for_beehiiv) and (
       next_probe_at <= sync_now()
       -- A time so far ahead was written before the clock stepped back. A shorter limit would
       -- match the time that a concurrent claim has just set.
       or next_probe_at > sync_now() + interval '30 seconds'
     )
     returning id`,
  );
  return claimed.length > 0;
}

/** Records Beehiiv's answer about key and publication. Completes an operator's request to check. */
export async function recordCheck(db: Database, answer: AnswerReason): Promise<void> {
  await query(
    db,
    `update sync_health set
       beehiiv_answer = :answer,
       beehiiv_checked_at = sync_now(),
       beehiiv_check_asked_at = null`,
    { answer },
  );
}

/** Records our fields that the publication lacks. Returns true if they changed. */
export async function recordFields(db: Database, missing: readonly string[]): Promise<boolean> {
  const changed = await query(
    db,
    `update sync_health set missing_fields = :missing
     where missing_fields is distinct from :missing::text[]
     returning id`,
    { missing: [...missing] },
  );
  return changed.length > 0;
}

/** Asks a worker to check key and publication at Beehiiv. */
export async function requestCheck(db: Database): Promise<void> {
  await db('sync_health').update({ beehiivCheckAskedAt: db.raw('sync_now()') });
}
