import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';

/** What an operator can list. */
export type Listed = 'leads' | 'people' | 'payers' | 'money' | 'live changes' | 'comparison';

/** Adds rows to what an operator has listed in this hour. What they listed before becomes an action on record. */
export async function recordReading(db: Database, operator: string, listed: Listed, rows: number): Promise<void> {
  const { isFirst } = await queryOne<{ isFirst: boolean }>(
    db,
    `insert into operator_readings (operator, hour, listed, rows) values (:operator, date_trunc('hour', now()), :listed, :rows)
     on conflict (operator, hour, listed) do update set rows = operator_readings.rows + excluded.rows
     returning xmax = 0 as is_first`,
    { operator, listed, rows },
  );
  if (isFirst) await foldReadings(db);
}

/** Turns the readings of each operator's past hours into one action, at the hour's end: what was listed, and how many rows. */
export async function foldReadings(db: Database): Promise<void> {
  await query(
    db,
    `with past as (delete from operator_readings where hour < date_trunc('hour', now()) returning *)
     insert into operator_actions (at, operator, action, detail)
     select hour + interval '1 hour', operator, 'read-lists', jsonb_object_agg(listed, rows) from past group by hour, operator order by hour`,
  );
}
