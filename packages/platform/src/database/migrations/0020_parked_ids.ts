import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** A parked event keeps the id of its object, which is all that a retry needs, and no longer its body. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'stripe_events', 'object_id', 'text', 'char_length(object_id) <= 255');
  await db.raw(`
    comment on column stripe_events.object_id is 'of a parked event: what it is about, if that could be read';
    comment on column stripe_events.raw_body is 'for 0.2.0, which retries from it: only the ids of a parked event';
  `);
}
