import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Run } from '@site/platform/outbox/claim';
import type { Situation } from './sync.policy.ts';

type StoredSituation = Pick<Situation, 'attemptsSpent' | 'roundAgeMs' | 'hasAcceptedSince' | 'isPaused'>;

/** Reads what the policy needs to know about a run's lead, on the database's clock. Call it once the answer is here. */
export async function readSituation(db: Database, run: Run): Promise<StoredSituation> {
  const [situation] = await query<StoredSituation>(
    db,
    `select case when round_started_at < last_outage_to then 0 else sync_attempts end as attempts_spent,
       coalesce(extract(epoch from sync_now() - greatest(round_started_at, last_outage_to)) * 1000, 0)::float8 as round_age_ms,
       coalesce(last_added_at > greatest(round_started_at, last_outage_to), false) as has_accepted_since,
       paused_since is not null as is_paused
     from leads, sync_health where leads.id = ?`,
    [run.lead.id],
  );
  return situation ?? { attemptsSpent: 0, roundAgeMs: 0, hasAcceptedSince: false, isPaused: false };
}
