import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';
import { query } from '../query.ts';

/** Since when a worker has run without a gap, and when one last restarted because nothing moved. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'worker_presence', 'since', 'timestamptz not null default now()');
  await addColumn(db, 'worker_presence', 'restarted_at', 'timestamptz');
  await query(
    db,
    `comment on column worker_presence.since is 'the first of the times without a gap that end at seen_at'`,
  );
  await query(db, `comment on column worker_presence.restarted_at is 'when a worker last ended because nothing moved'`);
}
