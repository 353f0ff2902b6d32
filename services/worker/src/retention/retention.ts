import type { Database } from '@site/platform/database/connect';
import { forgetChanges } from '@site/platform/outbox/changes';
import { forgetEmptyTallies, forgetEndedRepeats, forgetNetworkData } from '@site/platform/database/retention';

/** Rows a statement: small enough that nobody waits for their locks. */
const BATCH = 1_000;

/** Forgets what need not be kept: network data of old leads, keys of repeats that have ended, changes that every console has seen, and sources that no lead has any more. In batches, until none is left. */
export async function forgetOldData(
  deps: { db: Database; retainNetworkDataDays: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await forgetNetworkData(deps.db, deps.retainNetworkDataDays, BATCH)) === BATCH);
  while (!signal.aborted && (await forgetEndedRepeats(deps.db, BATCH)) === BATCH);
  while (!signal.aborted && (await forgetChanges(deps.db, BATCH)) === BATCH);
  if (!signal.aborted) await forgetEmptyTallies(deps.db);
}
