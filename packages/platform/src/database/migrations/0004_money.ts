import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table subscriptions (
      id uuid primary key,
      email text not null check (char_length(email) <= 254),
      email_normalised text not null generated always as (lower(email)) stored,
      name text,
      company text,
      phone text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      lead_id uuid references leads on delete set null,
      stripe_subscription_id text not null unique,
      stripe_customer_id text not null,
      stripe_checkout_session_id text,
      status text not null,
      plan text not null check (plan in ('monthly', 'annual')),
      coupon text,
      amount_pence integer not null check (amount_pence >= 0),
      trial_ends_at timestamptz,
      period_ends_at timestamptz,
      cancel_at timestamptz,
      snapshot_at timestamptz not null
    );
    create index subscriptions_by_address on subscriptions (email_normalised);
    create index subscriptions_by_lead on subscriptions (lead_id);
    create trigger subscriptions_touch before update on subscriptions for each row execute function touch_updated_at();
    comment on column subscriptions.snapshot_at is 'when the state in this row was read from Stripe: an older reading never overwrites it';

    create table stripe_events (
      id text primary key,
      type text not null,
      outcome text not null check (outcome in ('applied', 'ignored', 'parked')),
      received_at timestamptz not null default now(),
      fault text,
      raw_body text,
      constraint stripe_events_parked_is_whole check ((outcome = 'parked') = (raw_body is not null))
    );
    create index stripe_events_parked on stripe_events (received_at) where outcome = 'parked';

    create table tracked_events (
      id bigint primary key generated always as identity,
      event text not null,
      page text not null,
      created_at timestamptz not null default now()
    );
    create index tracked_events_by_time on tracked_events (created_at);
  `);
}
