import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/** Records that a worker runs, and since when one has run without a gap. */
export async function showPresence(db: Database): Promise<void> {
  await query(
    db,
    `update tasks set seen_at = sync_now(),
       since = case when seen_at < sync_now() - interval '30 seconds' then sync_now() else since end
     where name = 'worker'`,
  );
}
