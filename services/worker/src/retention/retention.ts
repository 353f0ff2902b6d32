import type { Database } from '@site/platform/database/connect';
import {
  clearAbandonedAddresses,
  clearNetworkData,
  deleteEndedRepeats,
  deleteFailedLeads,
  deleteOldChanges,
  deleteOldOpenCheckouts,
  reduceParkedEvents,
} from './retention.repository.ts';

/** Rows per statement, few enough that nothing waits long for their locks. */
const BATCH = 1_000;

/** How long personal data is kept, in days. Null keeps it. */
export type Retention = {
  networkDataDays: number;
  abandonedCheckoutDays: number;
  parkedEventDays: number;
  failedLeadDays: number | null;
};

/** Deletes what is no longer needed, in batches. A pending lead is never deleted. */
export async function deleteOldData(
  { db, retention }: { db: Database; retention: Retention },
  signal: AbortSignal,
): Promise<void> {
  const { networkDataDays, abandonedCheckoutDays, parkedEventDays, failedLeadDays } = retention;
  const all = async (deleteSome: () => Promise<number>) => {
    while (!signal.aborted && (await deleteSome()) === BATCH);
  };
  await all(() => clearNetworkData(db, networkDataDays, BATCH));
  await all(() => clearAbandonedAddresses(db, abandonedCheckoutDays, BATCH));
  await all(() => deleteOldOpenCheckouts(db, abandonedCheckoutDays, BATCH));
  await all(() => reduceParkedEvents(db, parkedEventDays, BATCH));
  if (failedLeadDays !== null) await all(() => deleteFailedLeads(db, failedLeadDays, BATCH));
  await all(() => deleteEndedRepeats(db, BATCH));
  await all(() => deleteOldChanges(db, BATCH));
}
