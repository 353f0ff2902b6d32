import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** What keeps us from asking Stripe for the events that it did not deliver. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'stripe_watch', 'missing_permission', 'text', 'char_length(missing_permission) <= 200');
  await addColumn(db, 'stripe_watch', 'permission_missing_since', 'timestamptz');
  await db.raw(`comment on column stripe_watch.missing_permission is 'what the key may not do: list events'`);
}
