import type { Database } from '@site/platform/database/connect';
import { clearNetworkData, deleteEndedRepeats, deleteOldChanges } from './retention.repository.ts';

/** Rows per statement, few enough that nothing waits long for their locks. */
const BATCH = 1_000;

/** Deletes what is no longer needed, in batches: network data of old leads, ended repeat keys, and old changes. */
export async function deleteOldData(
  deps: { db: Database; retainNetworkDataDays: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await clearNetworkData(deps.db, deps.retainNetworkDataDays, BATCH)) === BATCH);
  while (!signal.aborted && (await deleteEndedRepeats(deps.db, BATCH)) === BATCH);
  while (!signal.aborted && (await deleteOldChanges(deps.db, BATCH)) === BATCH);
}
