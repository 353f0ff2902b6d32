import type { Database } from '../database/connect.ts';
import type { SyncAttemptRow } from '../database/tables.ts';

/** A lead's attempts, newest first, at most 200. */
export async function listAttempts(db: Database, leadId: string): Promise<SyncAttemptRow[]> {
  return db<SyncAttemptRow>('lead_sync_attempts')
    .where({ leadId })
    .orderBy([
      { column: 'startedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(200);
}
