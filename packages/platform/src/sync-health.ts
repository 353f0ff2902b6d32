import type { Database } from './database/connect.ts';
import type { SyncHealthRow } from './database/tables.ts';

/** After this many transient failures in a row, the sync is in an outage. */
export const OUTAGE_STREAK = 5;

/** Reads whether the sync is paused, and why, and its latest failures and acceptances. The worker writes it. */
export async function readSyncHealth(db: Database): Promise<SyncHealthRow> {
  const row = await db<SyncHealthRow>('sync_health').first();
  if (!row) throw new Error('sync_health has lost its row: run the migrations again');
  return row;
}
