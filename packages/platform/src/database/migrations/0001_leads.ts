import type { Knex } from 'knex';

const text = (columns: string[], maxChars: number) =>
  columns.map((column) => `${column} text check (char_length(${column}) <= ${maxChars}),`).join('\n');

const CAMPAIGN_PARTS = ['source', 'medium', 'campaign', 'term', 'content'];
const ATTRIBUTION_COLUMNS = [
  ...['utm', 'visit_utm', 'first_utm'].flatMap((visit) => CAMPAIGN_PARTS.map((part) => `${visit}_${part}`)),
  'gclid',
  'fbclid',
  'ttclid',
  'landing_page',
  'first_page',
  'referrer',
  'session_id',
  'ga_client_id',
  'consent_page',
];

export async function up(db: Knex): Promise<void> {
  // The sync's clock. Every lease, slot and due time is compared on the database's clock, so that machines
  // whose clocks differ agree; a test replaces this one function to move the time.
  await db.raw(`
    create function sync_now() returns timestamptz language sql stable as 'select clock_timestamp()';
  `);

  await db.raw(`
    create table leads (
      id uuid primary key,
      email text not null check (char_length(email) between 3 and 254),
      email_normalised text not null generated always as (lower(email)) stored,
      form_type text not null check (form_type in ('pre_sample', 'pre_buy')),
      ${text(['full_name', 'company'], 200)}
      ${text(['phone', 'consent_text_version'], 40)}
      ${text(['message'], 5000)}
      ${text(ATTRIBUTION_COLUMNS, 2048)}
      submitted_at timestamptz not null default now(),
      consent_marketing boolean not null default false,
      consent_timestamp timestamptz,
      ${text(['user_agent'], 2048)}
      ${text(['ip_address'], 64)}
      ${text(['device_type'], 40)}
      ${text(['country', 'region', 'city'], 200)}
      quarantine_reason text check (char_length(quarantine_reason) <= 200),

      beehiiv_status text not null default 'pending' check (beehiiv_status in ('pending', 'sent', 'failed')),
      beehiiv_response text check (octet_length(beehiiv_response) <= 4096),
      beehiiv_sent_at timestamptz,
      subscriber_id text,
      subscriber_status text,
      subscriber_checked_at timestamptz,
      subscriber_check_due_at timestamptz,

      sync_round integer not null default 1 check (sync_round >= 1),
      sync_attempts integer not null default 0 check (sync_attempts >= 0),
      round_started_at timestamptz,
      next_attempt_at timestamptz default sync_now(),
      outcome_unknown boolean not null default false,
      claim uuid,
      claimed_until timestamptz,

      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),

      constraint leads_pending_is_due check (beehiiv_status <> 'pending' or next_attempt_at is not null),
      constraint leads_claim_has_end check ((claim is null) = (claimed_until is null)),
      constraint leads_only_pending_is_claimed check (claim is null or beehiiv_status = 'pending')
    );
    create index leads_newest on leads (submitted_at desc, id desc);
    create index leads_newest_by_form on leads (form_type, submitted_at desc, id desc);
    create index leads_newest_by_status on leads (beehiiv_status, submitted_at desc, id desc);
    create index leads_by_address on leads (email_normalised, form_type, submitted_at desc);
    create index leads_due on leads (next_attempt_at) where beehiiv_status = 'pending';
    create index leads_with_network_data on leads (submitted_at) where ip_address is not null or user_agent is not null;
    create index leads_to_refresh on leads (subscriber_check_due_at) where subscriber_check_due_at is not null;

    comment on column leads.sync_attempts is 'attempts of this round that spend its budget';
    comment on column leads.outcome_unknown is 'a request left and its answer was never recorded: look the address up first';
  `);

  await db.raw(`
    create function guard_lead_status() returns trigger language plpgsql as $$
    begin
      if old.beehiiv_status = 'pending' and new.sync_round = old.sync_round
         and (new.beehiiv_status = 'failed' or (new.beehiiv_status = 'sent' and old.claim is not null)) then
        return new;
      end if;
      if old.beehiiv_status = 'failed' and new.beehiiv_status = 'pending' and new.sync_round = old.sync_round + 1 then
        return new;
      end if;
      raise exception 'a lead cannot go from % (round %) to % (round %)',
        old.beehiiv_status, old.sync_round, new.beehiiv_status, new.sync_round
        using errcode = 'check_violation', constraint = 'leads_legal_transition';
    end $$;
    create trigger leads_legal_transition before update on leads for each row
      when (old.beehiiv_status is distinct from new.beehiiv_status) execute function guard_lead_status();

    create function touch_updated_at() returns trigger language plpgsql as $$
    begin new.updated_at := now(); return new; end $$;
    create trigger leads_touch before update on leads for each row execute function touch_updated_at();
  `);

  await db.raw(`
    create table lead_sync_attempts (
      id uuid primary key,
      lead_id uuid not null references leads on delete cascade,
      kind text not null check (kind in ('push', 'probe', 'repair')),
      round integer not null,
      number integer not null,
      started_at timestamptz not null default sync_now(),
      took_ms integer,
      http_status integer,
      class text check (class in ('accepted', 'permanent', 'configuration', 'transient', 'rate-limited', 'unknown')),
      message text check (char_length(message) <= 1000),
      request_id text,
      worker text not null,
      unique (lead_id, round, number)
    );

    create table address_leases (
      email_normalised text primary key,
      holder uuid not null,
      until timestamptz not null
    );

    -- What makes two submissions one: the same key and address, or the same address and form within a while.
    create table lead_repeats (
      email_normalised text not null,
      scope text not null check (char_length(scope) <= 300),
      lead_id uuid not null references leads on delete cascade deferrable initially deferred,
      until timestamptz not null,
      primary key (email_normalised, scope)
    );
    create index lead_repeats_by_end on lead_repeats (until);
    create index lead_repeats_by_lead on lead_repeats (lead_id);

    create table sample_requests (
      id uuid primary key,
      email text not null,
      name text,
      company text,
      lead_id uuid references leads on delete set null,
      created_at timestamptz not null default now()
    );
    create index sample_requests_by_address on sample_requests (lower(email));
    create index sample_requests_by_lead on sample_requests (lead_id);
  `);

  await db.raw(`
    create table sync_gate (
      id boolean primary key default true check (id),
      next_slot_at timestamptz not null default '-infinity',
      next_background_slot_at timestamptz not null default '-infinity',
      generation integer not null default 0
    );
    insert into sync_gate default values;

    create table sync_health (
      id boolean primary key default true check (id),
      paused_since timestamptz,
      pause_reason text,
      pause_setting text,
      next_probe_at timestamptz,
      probe_lead_id uuid,
      permanent_streak integer not null default 0,
      permanent_since timestamptz,
      transient_streak integer not null default 0,
      transient_since timestamptz,
      last_accepted_at timestamptz,
      missing_fields text[] not null default '{}',
      fields_checked_at timestamptz,
      reconciled_at timestamptz not null default now(),
      reconcile_report jsonb,
      constraint sync_pause_is_whole check (
        (paused_since is null) = (pause_reason is null) and (paused_since is null) = (pause_setting is null)
        and (paused_since is null) = (next_probe_at is null)
      )
    );
    insert into sync_health default values;

    -- What the newsletter listed in a comparison under way.
    create unlogged table reconcile_readers (
      run uuid not null,
      email_normalised text not null,
      subscriber_id text not null,
      subscriber_status text not null,
      primary key (run, email_normalised)
    );

    create table sync_alerts (
      kind text primary key check (kind in ('paused', 'outage', 'pending-too-long')),
      since timestamptz not null,
      told_at timestamptz
    );
  `);
}
