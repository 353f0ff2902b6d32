import type { Database } from './connect.ts';
import { query } from './query.ts';
import type { Row, TaskName } from './tables.ts';

/** Selects the row of a task, to read or to change it. */
export const task = (db: Database, name: TaskName) => db<Row<'tasks'>>('tasks').where({ name });

/** Records that a worker runs, and the start of the time without a gap. */
export async function recordHeartbeat(db: Database): Promise<void> {
  await query(
    db,
    `update tasks set seen_at = sync_now(),
       since = case when seen_at < sync_now() - interval '30 seconds' then sync_now() else since end
     where name = 'worker'`,
  );
}

/** The detail of `comparison`: its progress, and the last finished comparison's counts. */
export type ComparisonDetail = {
  subscribersRead: number;
  /** The number of subscribers without a lead. */
  unknownRead: number;
  skipped: number;
  checked: number;
  unknown: number;
  paymentsChecked: number;
};
