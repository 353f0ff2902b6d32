import type { Database } from '@site/platform/database/connect';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import type { Run } from '@site/platform/outbox/claim';
import { recordOutcome } from '@site/platform/outbox/outcome';
import type { Decision } from '@site/platform/outbox/outcome';
import { recordInHealth } from '../newsletter/sync-health.repository.ts';

/**
 * Records a run's outcome on its attempt and its lead, and then in the sync's health. Returns false if the run had lost
 * its lead, which is then left alone. Not one transaction: the one row of `sync_health` must not be locked while others
 * wait for it, and what it misses, the next outcome adds.
 */
export async function recordRun(
  db: Database,
  run: Run,
  outcome: AttemptOutcome,
  decision: Decision,
  isSignForAll: boolean,
): Promise<boolean> {
  const isOurs = await recordOutcome(db, run, outcome, decision);
  await recordInHealth(db, outcome, isSignForAll);
  return isOurs;
}
