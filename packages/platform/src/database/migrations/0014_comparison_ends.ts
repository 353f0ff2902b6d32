import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** A comparison that did not end well is tried again, and one that never does is reported. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'comparison', 'skipped', 'integer not null default 0');
  await addColumn(db, 'comparison', 'retry_at', 'timestamptz');
  await addColumn(db, 'comparison', 'watched_since', 'timestamptz not null default now()');
  await db.raw(`
    comment on column comparison.skipped is 'subscribers that it could not read';
    comment on column comparison.retry_at is 'after a fault: when the next one is due';
    comment on column comparison.watched_since is 'before the first one has finished: since when one should have';
  `);
}
