import type { Knex } from 'knex';
import { query } from '../query.ts';
import { addColumn } from '../migration.ts';

/** What an abandoned checkout was about, and whether its visitor was contacted. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'checkouts', 'plan', 'text', `plan in ('monthly', 'annual')`);
  await addColumn(db, 'checkouts', 'amount_pence', 'integer');
  await addColumn(db, 'checkouts', 'contacted_at', 'timestamptz');
  await query(
    db,
    `comment on column checkouts.amount_pence is 'the price of a period, with its discount; null: not known'`,
  );
}
