import type { Database } from '@site/platform/database/connect';
import {
  clearAbandonedAddresses,
  clearNetworkData,
  deleteEarlierAttempts,
  deleteEndedRepeats,
  deleteFailedLeads,
  deleteOldChanges,
  deleteOldOpenCheckouts,
  reduceParkedEvents,
} from './retention.repository.ts';

/** Rows per statement, few enough that nothing waits long for their locks. */
const BATCH = 1_000;

/** Attempts of the last round stay: they say why a lead was sent or not. */
const EARLIER_ATTEMPT_DAYS = 180;

/** How long personal data is kept, in days. Null keeps it. */
export type Retention = {
  networkDataDays: number;
  abandonedCheckoutDays: number;
  parkedEventDays: number;
  failedLeadDays: number | null;
};

/**
 * Deletes what is no longer needed, in batches. A step that fails keeps no other from its work; what failed is thrown at
 * the end. A pending lead is never deleted.
 */
export async function deleteOldData(
  { db, retention }: { db: Database; retention: Retention },
  signal: AbortSignal,
): Promise<void> {
  const { networkDataDays, abandonedCheckoutDays, parkedEventDays, failedLeadDays } = retention;
  const steps = [
    () => clearNetworkData(db, networkDataDays, BATCH),
    () => clearAbandonedAddresses(db, abandonedCheckoutDays, BATCH),
    () => deleteOldOpenCheckouts(db, abandonedCheckoutDays, BATCH),
    () => reduceParkedEvents(db, parkedEventDays, BATCH),
    ...(failedLeadDays === null ? [] : [() => deleteFailedLeads(db, failedLeadDays, BATCH)]),
    () => deleteEarlierAttempts(db, EARLIER_ATTEMPT_DAYS, BATCH),
    () => deleteEndedRepeats(db, BATCH),
    () => deleteOldChanges(db, BATCH),
  ];
  const errors: unknown[] = [];
  for (const deleteSome of steps) {
    try {
      while (!signal.aborted && (await deleteSome()) === BATCH);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not all old data was deleted');
}
