import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** Which marks of an operator's browsers count: each names the number that this was when it was issued. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'users', 'browser_epoch', 'integer not null default 0');
}
