import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Run } from '@site/platform/outbox/claim';
import { OUTAGE_STREAK, REFUSAL_STREAK } from '@site/platform/health/sync-health';
import type { Situation } from './sync.policy.ts';

/** The situation of a lead that is accepted, or was erased meanwhile. */
export const NO_FAILURE: Situation = {
  attemptsSpent: 0,
  failuresInRow: 1,
  isCounted: false,
  roundAgeMs: 0,
  hasAddedSince: false,
  isOutage: false,
  isRefusalPause: false,
};

/**
 * Reads the policy's input about a run's lead, on the database's clock. Call it after the answer.
 */
export async function readSituation(db: Database, { attemptId, lead }: Run): Promise<Situation> {
  const [situation] = await query<Situation>(
    db,
    `select budget_spent as attempts_spent, round.attempts as failures_in_row,
       -- An attempt may start a minute before its failure counts, because it waits for slots
       -- between its requests.
       coalesce(round.previous_at > transient_since - interval '1 minute', false) as is_counted,
       coalesce(extract(epoch from sync_now() - round.first_at) * 1000, 0)::float8 as round_age_ms,
       coalesce(last_added_at > round.previous_at, false) as has_added_since,
       failure_streak >= :outage as is_outage, refusal_streak >= :pause as is_refusal_pause
     from leads, sync_health, lateral (
       select count(*) as attempts, min(started_at) as first_at,
         max(started_at) filter (where id <> :attemptId) as previous_at
       from lead_sync_attempts where lead_id = leads.id and round = leads.sync_round
     ) round where leads.id = :leadId`,
    { attemptId, leadId: lead.id, outage: OUTAGE_STREAK, pause: REFUSAL_STREAK },
  );
  return situation ?? NO_FAILURE;
}
