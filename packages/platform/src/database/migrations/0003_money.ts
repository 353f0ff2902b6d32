import type { Knex } from 'knex';

/** What Stripe knows: subscriptions, invoices, charges, disputes, checkouts and the events that told us. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table subscriptions (
      id uuid primary key,
      email text check (char_length(email) <= 254),
      email_normalised text generated always as (lower(email)) stored,
      delivery_email text check (char_length(delivery_email) <= 254),
      delivery_normalised text generated always as (lower(coalesce(delivery_email, email))) stored,
      email_corrected_at timestamptz,
      name text,
      company text,
      phone text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      lead_id uuid references leads on delete set null,
      stripe_subscription_id text not null unique,
      stripe_customer_id text not null,
      stripe_checkout_session_id text,
      stripe_price_id text,
      status text not null,
      plan text not null check (plan in ('monthly', 'annual')),
      coupon text,
      amount_pence integer not null check (amount_pence >= 0),
      recurring_pence integer check (recurring_pence >= 0),
      first_paid_at timestamptz,
      started_at timestamptz,
      trial_ends_at timestamptz,
      period_ends_at timestamptz,
      cancel_at timestamptz,
      canceled_at timestamptz,
      ended_at timestamptz,
      cancellation_feedback text,
      is_collection_paused boolean not null default false,
      latest_invoice_id text,
      latest_invoice_status text,
      payment_attempts integer not null default 0 check (payment_attempts >= 0),
      next_payment_attempt_at timestamptz,
      payment_url text,
      second_live_since timestamptz,
      second_live_reviewed_at timestamptz,
      unread_parts text[] not null default '{}',
      snapshot_at timestamptz not null,
      is_live boolean not null generated always as (status in ('trialing', 'active', 'past_due')) stored,
      stage text not null generated always as (
        case
          when status in ('trialing', 'active') and cancel_at is not null then 'ending'
          when status = 'trialing' then 'trial'
          when status = 'active' then 'paying'
          when status = 'past_due' then 'dunning'
          when status in ('unpaid', 'paused') then 'suspended'
          when status in ('canceled', 'incomplete_expired') then 'ended'
          else 'incomplete'
        end
      ) stored
    );
    create index subscriptions_by_address on subscriptions (email_normalised);
    create index subscriptions_by_delivery on subscriptions (delivery_normalised);
    create index subscriptions_by_lead on subscriptions (lead_id);
    -- The figures of the money view, each from an index alone.
    create index subscriptions_by_stage on subscriptions (stage, started_at desc);
    create index subscriptions_renewals on subscriptions (status, period_ends_at)
      include (plan, amount_pence, recurring_pence, cancel_at, is_collection_paused);
    create index subscriptions_trials on subscriptions (trial_ends_at)
      include (plan, amount_pence, cancel_at, is_collection_paused) where status = 'trialing';
    create index subscriptions_retries on subscriptions (next_payment_attempt_at) where status = 'past_due';
    create index subscriptions_payers on subscriptions (first_paid_at) include (ended_at) where first_paid_at is not null;
    create index subscriptions_churned on subscriptions (ended_at)
      include (plan, amount_pence, recurring_pence) where first_paid_at is not null and ended_at is not null;
    create index subscriptions_second_live on subscriptions (second_live_since) where second_live_since is not null;
    create trigger subscriptions_touch before update on subscriptions for each row execute function touch_updated_at();
    comment on column subscriptions.email is 'the payer''s; null once the person was erased: Stripe still reports what was paid';
    comment on column subscriptions.delivery_email is 'who gets the paid issue; null if it is the payer';
    comment on column subscriptions.email_corrected_at is 'when an operator corrected the payer''s address: what Stripe reported before no longer counts';
    comment on column subscriptions.amount_pence is 'what each period costs after discounts';
    comment on column subscriptions.recurring_pence is 'the same with only the discounts that never end; null: the same';
    comment on column subscriptions.first_paid_at is 'when an invoice above zero was first paid';
    comment on column subscriptions.is_live is 'the subscriber gets the paid issue';
    comment on column subscriptions.payment_url is 'where an open invoice can be paid';
    comment on column subscriptions.second_live_since is 'another subscription of this address was live before this one';
    comment on column subscriptions.second_live_reviewed_at is 'when an operator reviewed it; cleared whenever second_live_since changes';
    comment on column subscriptions.unread_parts is 'what the latest reading of Stripe could not make out; older values stay';
    comment on column subscriptions.snapshot_at is 'when this state was read from Stripe: an older reading never overwrites it';

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
    create index stripe_invoices_paid on stripe_invoices (paid_at) include (stripe_subscription_id, paid_pence)
      where paid_pence > 0;

    create table stripe_charges (
      id text primary key,
      stripe_invoice_id text not null references stripe_invoices on delete cascade,
      amount_pence integer not null,
      refunded_pence integer not null check (refunded_pence >= 0),
      snapshot_at timestamptz not null
    );
    create index stripe_charges_by_invoice on stripe_charges (stripe_invoice_id);

    create table stripe_refunds (
      id text primary key,
      stripe_charge_id text not null references stripe_charges on delete cascade,
      amount_pence integer not null,
      status text not null,
      failure_reason text,
      refunded_at timestamptz not null,
      reviewed_at timestamptz,
      snapshot_at timestamptz not null
    );
    create index stripe_refunds_by_charge on stripe_refunds (stripe_charge_id);
    create index stripe_refunds_by_time on stripe_refunds (refunded_at) include (stripe_charge_id, amount_pence, status);
    create index stripe_refunds_failed on stripe_refunds (refunded_at) where status = 'failed' and reviewed_at is null;
    comment on column stripe_refunds.reviewed_at is 'when an operator reviewed the failed refund';

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
    -- How each visit to Stripe's checkout page ended.
    create table checkouts (
      stripe_checkout_session_id text primary key,
      email text check (char_length(email) <= 254),
      email_normalised text generated always as (lower(email)) stored,
      lead_id uuid references leads on delete set null,
      state text not null check (state in ('complete', 'abandoned', 'payment-failed')),
      started_at timestamptz not null,
      recovery_url text,
      recovery_ends_at timestamptz,
      recovered_from text,
      snapshot_at timestamptz not null
    );
    create index checkouts_by_lead on checkouts (lead_id, state);
    create index checkouts_by_address on checkouts (email_normalised);
    -- Every page of the list asks for abandoned checkouts, so each question is answered by an index alone.
    create index checkouts_abandoned on checkouts (started_at desc)
      include (lead_id, email_normalised, stripe_checkout_session_id) where state = 'abandoned';
    create index checkouts_complete_by_address on checkouts (email_normalised) where state = 'complete';
    create index checkouts_complete_by_recovered on checkouts (recovered_from)
      where state = 'complete' and recovered_from is not null;
    comment on column checkouts.recovered_from is 'the expired checkout whose recovery link started this one';

    -- Checkouts that we opened and whose end has not been reported. Stripe keeps them open for at most a day.
    create table open_checkouts (
      stripe_checkout_session_id text primary key,
      email_normalised text not null check (char_length(email_normalised) <= 254),
      opened_at timestamptz not null default now()
    );
    create index open_checkouts_by_address on open_checkouts (email_normalised);
    create index open_checkouts_by_age on open_checkouts (opened_at);

    -- Mistyped addresses that the newsletter has still to unsubscribe. The address stays here until then.
    create table unsubscribe_requests (
      id uuid primary key,
      email_normalised text,
      lead_id uuid references leads on delete cascade,
      requested_by text not null,
      requested_at timestamptz not null default sync_now(),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default sync_now(),
      last_message text check (char_length(last_message) <= 1000),
      done_at timestamptz,
      constraint unsubscribe_requests_drop_the_address check ((done_at is null) = (email_normalised is not null))
    );
    create unique index unsubscribe_requests_open on unsubscribe_requests (email_normalised) where done_at is null;
    create index unsubscribe_requests_due on unsubscribe_requests (next_attempt_at) where done_at is null;
    create index unsubscribe_requests_by_lead on unsubscribe_requests (lead_id);
    comment on column unsubscribe_requests.lead_id is 'the lead with the correct address';

    create table complimentary_access (
      email_normalised text primary key check (char_length(email_normalised) <= 254),
      until timestamptz not null,
      granted_by text not null,
      granted_at timestamptz not null default now(),
      ended_at timestamptz
    );
    create index complimentary_access_due on complimentary_access (until) where ended_at is null;
    comment on column complimentary_access.ended_at is 'when the tier was taken back after the date';

    -- What an operator's request to change money did, so that a repeat with the same key does nothing more.
    create table operator_requests (
      operator text not null,
      key text not null check (char_length(key) <= 200),
      request text not null,
      result jsonb not null,
      created_at timestamptz not null default now(),
      primary key (operator, key)
    );
    comment on table operator_requests is 'ids and amounts, never personal data';

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

    create table stripe_events (
      id text primary key,
      type text not null,
      outcome text not null check (outcome in ('applied', 'ignored', 'parked')),
      received_at timestamptz not null default now(),
      arrived_by text not null default 'delivery' check (arrived_by in ('delivery', 'listing', 'replay')),
      fault text,
      raw_body text,
      is_body_reduced boolean not null default false,
      reviewed_at timestamptz,
      constraint stripe_events_parked_is_whole check ((outcome = 'parked') = (raw_body is not null))
    );
    create index stripe_events_by_time on stripe_events (received_at);
    create index stripe_events_delivered on stripe_events (received_at) where arrived_by = 'delivery';
    create index stripe_events_listed on stripe_events (received_at) where arrived_by = 'listing';
    create index stripe_events_parked on stripe_events (received_at) where outcome = 'parked';
    comment on column stripe_events.arrived_by is 'delivery: Stripe''s request; listing: found in Stripe''s list, because it was not delivered; replay: by a command';
    comment on column stripe_events.reviewed_at is 'when an operator reviewed the parked event';

    -- One row: when Stripe was last asked for what it did not deliver. Older events are not ours to expect.
    create table stripe_watch (
      id boolean primary key default true check (id),
      since timestamptz not null default now(),
      events_listed_at timestamptz not null default '-infinity',
      subscriptions_read_at timestamptz not null default now(),
      terms_accepted_at timestamptz,
      terms_refused_at timestamptz
    );
    insert into stripe_watch default values;
    comment on column stripe_watch.terms_accepted_at is 'when stripe:setup saw that Stripe can ask for acceptance of our terms';
    comment on column stripe_watch.terms_refused_at is 'when Stripe refused that later: checkouts go on without it';
  `);
}
