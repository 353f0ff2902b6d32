import type { Knex } from 'knex';

/** How leads and tiers reach the newsletter: attempts, leases, the rate limiter, health, alerts and the comparison. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table lead_sync_attempts (
      id uuid primary key,
      lead_id uuid not null references leads on delete cascade,
      kind text not null check (kind in ('push', 'probe', 'repair', 'tier')),
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
    create index lead_sync_attempts_by_time on lead_sync_attempts (started_at) include (class);
    create index lead_sync_attempts_not_accepted on lead_sync_attempts (started_at) where class <> 'accepted';
    comment on column lead_sync_attempts.class is 'null while the outcome is unknown';

    -- One address is served by one run at a time, whether it sends a lead, a tier, a repair or an erasure.
    create table address_leases (
      email_normalised text primary key,
      leased_by uuid not null,
      leased_until timestamptz not null
    );

    -- The tier that an address should have at the newsletter. It can change back and forth, so it has a version, not a status.
    create table subscriber_tiers (
      email_normalised text primary key,
      wanted text not null check (wanted in ('premium', 'free')),
      version integer not null default 1 check (version >= 1),
      confirmed_version integer not null default 0 check (confirmed_version between 0 and version),
      confirmed_at timestamptz,
      must_activate boolean not null default false,
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default sync_now(),
      last_message text check (char_length(last_message) <= 1000),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    comment on column subscriber_tiers.must_activate is 'a payment asks for the newsletter: the subscriber is made active once';
    create index subscriber_tiers_due on subscriber_tiers (next_attempt_at) where confirmed_version < version;
    create trigger subscriber_tiers_touch before update on subscriber_tiers
      for each row execute function touch_updated_at();
  `);

  await db.raw(`
    -- One row: the next free slot for a request to the newsletter, over all processes.
    create table rate_limiter (
      id boolean primary key default true check (id),
      next_slot_at timestamptz not null default '-infinity',
      next_background_slot_at timestamptz not null default '-infinity',
      resumes_at timestamptz not null default '-infinity',
      requests_per_minute integer
    );
    insert into rate_limiter default values;
    comment on column rate_limiter.resumes_at is 'after a 429: no request may leave before';
    comment on column rate_limiter.requests_per_minute is 'the rate that the workers were last told to keep';

    -- One row: how the sync is doing.
    create table sync_health (
      id boolean primary key default true check (id),
      paused_since timestamptz,
      pause_reason text,
      pause_setting text,
      next_probe_at timestamptz,
      permanent_streak integer not null default 0,
      permanent_since timestamptz,
      transient_streak integer not null default 0,
      transient_since timestamptz,
      last_accepted_at timestamptz,
      last_added_at timestamptz,
      missing_fields text[] not null default '{}',
      refusals_from timestamptz,
      refusals_to timestamptz,
      constraint sync_pause_is_whole check (
        (paused_since is null) = (pause_reason is null) and (paused_since is null) = (pause_setting is null)
      )
    );
    insert into sync_health default values;
    comment on column sync_health.last_added_at is 'when the newsletter last accepted an addition; an accepted update proves less';
    comment on column sync_health.refusals_from is 'when the refusals started that caused the last refusal pause';
    comment on column sync_health.transient_streak is 'transient failures in a row, of leads that have spent no budget';
    comment on column sync_health.permanent_streak is 'refused additions in a row; from 20 on they are a pause that refuses nobody';
    comment on column sync_health.next_probe_at is 'during a pause or an outage: when the next probe may leave';

    -- One row: when a worker last recorded that it runs.
    create table worker_presence (
      id boolean primary key default true check (id),
      seen_at timestamptz not null default sync_now()
    );
    insert into worker_presence default values;

    create table sync_alerts (
      kind text primary key check (char_length(kind) <= 40),
      since timestamptz not null,
      alerted_at timestamptz,
      claimed_until timestamptz not null default '-infinity'
    );
    comment on column sync_alerts.alerted_at is 'when the webhook accepted the message';
    comment on column sync_alerts.claimed_until is 'until then, one process is sending a message about it';
  `);

  await db.raw(`
    -- One row: the comparison in progress, or the last one. Without a lease, none is in progress.
    create table comparison (
      id boolean primary key default true check (id),
      started_at timestamptz not null default now(),
      requested_at timestamptz,
      leased_by uuid,
      leased_until timestamptz,
      cursor text,
      subscribers_read integer not null default 0,
      fault text,
      compared_at timestamptz,
      checked integer not null default 0,
      unknown integer not null default 0,
      payments_checked integer not null default 0,
      constraint comparison_lease_is_whole check ((leased_by is null) = (leased_until is null))
    );
    insert into comparison default values;
    comment on column comparison.requested_at is 'when an operator asked for another one';
    comment on column comparison.fault is 'why the last comparison could not be finished';
    comment on column comparison.compared_at is 'when the last finished comparison started: statuses are at least that new';
    comment on column comparison.checked is 'how many people it compared';
    comment on column comparison.payments_checked is 'how many live subscriptions it compared';
    comment on column comparison.unknown is 'how many subscribers have no lead; differences lists some of them';

    -- The subscribers that the newsletter has listed so far in the comparison in progress. Logged: a crash would empty an
    -- unlogged table halfway through, and every subscriber listed before it would seem to be missing.
    create table listed_subscribers (
      email_normalised text primary key,
      subscriber_id text not null,
      subscriber_status text not null,
      subscriber_tier text
    );

    -- What the last finished comparison found, and what an operator has decided since.
    create table differences (
      id bigint primary key generated always as identity,
      kind text not null check (kind in (
        'pays-not-active', 'pays-twice', 'premium-not-paying', 'unknown-here', 'missing-there', 'invalid', 'unsubscribed'
      )),
      email_normalised text not null,
      lead_id uuid references leads on delete cascade,
      subscriber_id text,
      subscriber_status text,
      stripe_subscription_id text,
      remedy text check (remedy in ('add-again', 'set-premium', 'set-free')),
      requested_at timestamptz,
      constraint differences_request_a_remedy check (requested_at is null or remedy is not null)
    );
    comment on column differences.subscriber_status is 'at the newsletter; null if they are absent';
    comment on column differences.remedy is 'what would put it right; null if only a person can decide';
    comment on column differences.requested_at is 'an operator asked for the remedy: when a worker carries it out next, and deletes the row';
    create index differences_requested on differences (requested_at) where requested_at is not null;
    create index differences_by_kind on differences (kind, id);
    create index differences_by_lead on differences (lead_id);
    create index differences_by_address on differences (email_normalised);
  `);
}
