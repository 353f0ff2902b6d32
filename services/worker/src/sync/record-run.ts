import type { Database } from '@site/platform/database/connect';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import type { Run } from '@site/platform/outbox/claim';
import { recordOutcome } from '@site/platform/outbox/outcome';
import type { Decision } from '@site/platform/outbox/outcome';
import { recordInHealth } from '../sync-health/sync-health.repository.ts';

/**
 * Records a run's outcome on its attempt, its lead and the sync's health, in one transaction. Returns false if the
 * run had lost its lead, which is then left alone.
 */
export async function recordRun(db: Database, run: Run, outcome: AttemptOutcome, decision: Decision): Promise<boolean> {
  return db.transaction(async (trx) => {
    const isOurs = await recordOutcome(trx, run, outcome, decision);
    // Last, since every run updates this one row: the lock is held as briefly as possible.
    await recordInHealth(trx, outcome);
    return isOurs;
  });
}
