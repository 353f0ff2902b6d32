import type { Database } from './connect.ts';
import type { Row, TaskName } from './tables.ts';

/** Selects the row of a task, to read or to change it. */
export const task = (db: Database, name: TaskName) => db<Row<'tasks'>>('tasks').where({ name });

/** The detail of `comparison`: its progress, and the counts of the last finished one. */
export type ComparisonDetail = {
  subscribersRead: number;
  skipped: number;
  checked: number;
  unknown: number;
  paymentsChecked: number;
};
