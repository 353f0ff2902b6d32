import type { Knex } from 'knex';

/** Erasure and retention. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The address stays here until the newsletter has deleted it too, and a second look an hour later found it gone.
    create table erasures (
      id uuid primary key,
      email_normalised text,
      requested_by text not null,
      requested_at timestamptz not null default sync_now(),
      erased jsonb not null,
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default sync_now(),
      last_message text check (char_length(last_message) <= 1000),
      deleted_at timestamptz,
      done_at timestamptz,
      constraint erasures_drop_the_address check ((done_at is null) = (email_normalised is not null))
    );
    create unique index erasures_open on erasures (email_normalised) where done_at is null;
    create index erasures_due on erasures (next_attempt_at) where done_at is null;

    comment on column erasures.deleted_at is 'when the newsletter first had nobody of that address; from then on their new leads are sent';

    create table erased_ids (
      id text primary key check (char_length(id) <= 255),
      erased_at timestamptz not null default now()
    );
    comment on table erased_ids is 'our and Stripe''s ids of people who were erased: what is reported about them later is stored without the person';

    create index leads_with_network_data on leads (submitted_at) where ip_address is not null or user_agent is not null;
  `);
}
