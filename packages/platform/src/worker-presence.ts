import type { Database } from './database/connect.ts';
import { query } from './database/query.ts';

/** Records that a worker runs. The API alerts when none has done so for a minute. */
export async function showPresence(db: Database): Promise<void> {
  await query(db, 'update worker_presence set seen_at = greatest(seen_at, sync_now())');
}
