import type { Knex } from 'knex';

/** The age of the last good backup, for the metric. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- One row: deploy/backup-off-site.sh writes the time of each dump that was restored on trial and uploaded.
    create table last_backup (
      id boolean primary key default true check (id),
      taken_at timestamptz
    );
    insert into last_backup default values;
  `);
}
