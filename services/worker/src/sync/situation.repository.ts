import type { Database } from '@site/platform/database/connect';
import type { Run } from '@site/platform/outbox/claim';

/** What a decision about a run's lead must know: on the database's clock, after the answer came. */
export async function readSituation(
  db: Database,
  run: Run,
): Promise<{ attemptsSpent: number; roundAgeMs: number; hasAcceptedSince: boolean; isPaused: boolean }> {
  const { rows } = await db.raw(
    `select case when round_started_at < last_outage_to then 0 else sync_attempts end as attempts_spent,
       extract(epoch from sync_now() - greatest(round_started_at, last_outage_to)) * 1000 as round_age_ms,
       coalesce(last_added_at > greatest(round_started_at, last_outage_to), false) as has_accepted_since,
       paused_since is not null as is_paused
     from leads, sync_health where leads.id = ?`,
    [run.lead.id],
  );
  const [row] = rows;
  if (!row) return { attemptsSpent: 0, roundAgeMs: 0, hasAcceptedSince: false, isPaused: false };
  return { ...row, roundAgeMs: Number(row.roundAgeMs ?? 0) };
}
