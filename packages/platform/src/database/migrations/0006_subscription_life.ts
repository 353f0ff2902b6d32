import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table subscriptions
      add column stripe_price_id text,
      add column started_at timestamptz,
      add column canceled_at timestamptz,
      add column ended_at timestamptz,
      add column cancellation_feedback text,
      add column is_collection_paused boolean not null default false,
      add column latest_invoice_id text,
      add column latest_invoice_status text,
      add column payment_attempts integer not null default 0 check (payment_attempts >= 0),
      add column next_payment_attempt_at timestamptz,
      add column payment_url text,
      add column second_live_since timestamptz,
      add column is_live boolean not null generated always as (status in ('trialing', 'active', 'past_due')) stored,
      add column stage text not null generated always as (
        case
          when status in ('trialing', 'active') and cancel_at is not null then 'ending'
          when status = 'trialing' then 'trial'
          when status = 'active' then 'paying'
          when status = 'past_due' then 'dunning'
          when status in ('unpaid', 'paused') then 'suspended'
          when status in ('canceled', 'incomplete_expired') then 'ended'
          else 'incomplete'
        end
      ) stored;
    create index subscriptions_second_live on subscriptions (second_live_since) where second_live_since is not null;
    comment on column subscriptions.is_live is 'the reader gets the paid issue';
    comment on column subscriptions.payment_url is 'where an open invoice can be paid';

    create table stripe_invoices (
      id text primary key,
      stripe_subscription_id text not null references subscriptions (stripe_subscription_id) on delete cascade,
      status text not null,
      billing_reason text,
      number text,
      total_pence integer not null,
      paid_pence integer not null check (paid_pence >= 0),
      attempts integer not null,
      next_attempt_at timestamptz,
      hosted_url text,
      pdf_url text,
      issued_at timestamptz not null,
      paid_at timestamptz,
      snapshot_at timestamptz not null
    );
    create index stripe_invoices_by_subscription on stripe_invoices (stripe_subscription_id);

    create table stripe_charges (
      id text primary key,
      stripe_invoice_id text not null references stripe_invoices on delete cascade,
      amount_pence integer not null,
      refunded_pence integer not null check (refunded_pence >= 0),
      snapshot_at timestamptz not null
    );
    create index stripe_charges_by_invoice on stripe_charges (stripe_invoice_id);

    create table stripe_disputes (
      id text primary key,
      stripe_charge_id text not null references stripe_charges on delete cascade,
      amount_pence integer not null,
      reason text not null,
      status text not null,
      evidence_due_at timestamptz,
      opened_at timestamptz not null,
      snapshot_at timestamptz not null
    );
    create index stripe_disputes_by_charge on stripe_disputes (stripe_charge_id);
  `);

  await db.raw(`
    -- How visitors' ways to Stripe's page ended.
    create table checkouts (
      stripe_checkout_session_id text primary key,
      email text check (char_length(email) <= 254),
      email_normalised text generated always as (lower(email)) stored,
      lead_id uuid references leads on delete set null,
      state text not null check (state in ('complete', 'abandoned', 'payment-failed')),
      begun_at timestamptz not null,
      recovery_url text,
      recovery_ends_at timestamptz,
      snapshot_at timestamptz not null
    );
    create index checkouts_by_lead on checkouts (lead_id, state);
    create index checkouts_by_address on checkouts (email_normalised);

    create table payer_mismatches (
      stripe_subscription_id text primary key references subscriptions (stripe_subscription_id) on delete cascade,
      lead_id uuid not null references leads on delete cascade,
      lead_email text not null,
      payer_email text not null,
      found_at timestamptz not null default now(),
      reviewed_at timestamptz
    );
    create index payer_mismatches_by_lead on payer_mismatches (lead_id);
    create index payer_mismatches_open on payer_mismatches (found_at) where reviewed_at is null;
  `);

  await db.raw(`
    -- Which tier an address is to have at the newsletter. It goes back and forth, so it has a version, not a status.
    create table reader_tiers (
      email_normalised text primary key,
      wanted text not null check (wanted in ('premium', 'free')),
      version integer not null default 1 check (version >= 1),
      confirmed_version integer not null default 0 check (confirmed_version between 0 and version),
      confirmed_at timestamptz,
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default sync_now(),
      last_message text check (char_length(last_message) <= 1000),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index reader_tiers_due on reader_tiers (next_attempt_at) where confirmed_version < version;
    create trigger reader_tiers_touch before update on reader_tiers for each row execute function touch_updated_at();

    alter table lead_sync_attempts drop constraint lead_sync_attempts_kind_check;
    alter table lead_sync_attempts add constraint lead_sync_attempts_kind_check
      check (kind in ('push', 'probe', 'repair', 'tier'));
  `);
}
