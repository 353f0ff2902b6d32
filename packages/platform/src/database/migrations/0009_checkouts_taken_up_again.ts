import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table checkouts add column recovered_from text;
    comment on column checkouts.recovered_from is 'the checkout that had expired, where this one was begun by its recovery link';
    create index checkouts_complete_by_recovered on checkouts (recovered_from)
      where state = 'complete' and recovered_from is not null;

    -- Whether somebody came back is asked of the checkout's own id, and that answer is to stand in the index too.
    create index checkouts_left on checkouts (begun_at desc)
      include (lead_id, email_normalised, stripe_checkout_session_id) where state = 'abandoned';
    drop index checkouts_abandoned;
  `);
}
