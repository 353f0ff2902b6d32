import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table sync_health add column last_added_at timestamptz, add column is_hastening boolean not null default false;
    update sync_health set last_added_at = last_accepted_at;
    comment on column sync_health.last_added_at is 'when the newsletter last accepted an addition: updates of readers prove less';
    comment on column sync_health.is_hastening is 'an outage has ended, and not all who waited through it have been made due yet';

    -- Logged, for a crash would empty it in the middle of a comparison, and everybody listed before would seem to be missing.
    alter table reconcile_readers set logged;
    alter table reconcile_readers add column listed_at timestamptz not null default now();
  `);
}
