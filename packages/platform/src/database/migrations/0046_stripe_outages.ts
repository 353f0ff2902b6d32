import type { Knex } from 'knex';

/** The outages on record are also Stripe's. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table outages drop constraint outages_kind_check,
      add constraint outages_kind_check check (kind in ('no-worker', 'paused', 'outage', 'stalled', 'stripe-unavailable'));
    comment on table outages is 'the times in which no lead was sent, or nobody could subscribe: each such alert that has ended';
  `);
}
