-- The sync to Beehiiv: attempts, leases, rate limiter, health, tasks, bulk retries, comparison.

create table lead_sync_attempts (
  id uuid primary key,
  lead_id uuid not null references leads on delete cascade,
  -- While the attempt is open.
  email_normalised text,
  kind text not null check (kind in ('push', 'probe', 'repair', 'tier')),
  round integer not null,
  number integer not null,
  started_at timestamptz not null default sync_now(),
  took_ms integer,
  http_status integer,
  -- Null while the outcome is unknown.
  class text check (
    class in ('accepted', 'permanent', 'configuration', 'transient', 'rate-limited', 'unknown')
  ),
  reason text check (reason ~ '^[a-z-]{1,40}$'),
  message text check (char_length(message) <= 1000),
  request_id text,
  worker text not null,
  unique (lead_id, round, number),
  constraint lead_sync_attempts_closed_forget_the_email
    check (class is null or email_normalised is null)
);

create index lead_sync_attempts_by_time on lead_sync_attempts (started_at) include (class);
create index lead_sync_attempts_open on lead_sync_attempts (email_normalised)
  where email_normalised is not null;
create index lead_sync_attempts_not_accepted on lead_sync_attempts (started_at)
  where class <> 'accepted';

-- One run at a time serves an email, for a lead or for a wish of its person.
create table email_leases (
  email_normalised text primary key,
  leased_by uuid not null,
  leased_until timestamptz not null
);

-- One row: the next free slot for a request to Beehiiv, over all processes.
create table rate_limiter (
  id boolean primary key default true check (id),
  next_slot_at timestamptz not null default '-infinity',
  next_background_slot_at timestamptz not null default '-infinity',
  -- No request may leave before this time, which a 429 sets.
  resumes_at timestamptz not null default '-infinity',
  -- The rate at which the workers last started.
  requests_per_minute integer
);
insert into rate_limiter default values;

-- One row: the state of the sync.
create table sync_health (
  id boolean primary key default true check (id),
  paused_since timestamptz,
  pause_reason text,
  pause_setting text,
  -- The next probe of a pause or an outage.
  next_probe_at timestamptz,
  -- Refused additions in a row. Twenty start a refusal pause.
  refusal_streak integer not null default 0,
  permanent_since timestamptz,
  -- Transient failures in a row for leads that have spent no budget.
  failure_streak integer not null default 0,
  transient_since timestamptz,
  last_accepted_at timestamptz,
  -- Beehiiv's last accepted addition. An accepted update proves less.
  last_added_at timestamptz,
  missing_fields text[] not null default '{}',
  -- Start and end of the refusals that caused the last refusal pause.
  refusals_from timestamptz,
  refusals_to timestamptz,
  -- Beehiiv's last answer about key and publication, for processes without the key: a reason like
  -- an attempt's, or accepted.
  beehiiv_answer text,
  beehiiv_checked_at timestamptz,
  -- An operator asked for a check now.
  beehiiv_check_asked_at timestamptz,
  -- A configuration pause: nothing is sent. Keep the limits as in health/sync-health.ts.
  is_paused_by_setting boolean not null
    generated always as (paused_since is not null and refusal_streak < 20) stored,
  -- An outage or a refusal pause: new leads are tried once, and all others wait.
  waits_for_beehiiv boolean not null
    generated always as (failure_streak >= 5 or refusal_streak >= 20) stored,
  constraint sync_pause_is_whole check (
    (paused_since is null) = (pause_reason is null)
    and (paused_since is null) = (pause_setting is null)
  )
);
insert into sync_health default values;

create trigger sync_health_announced after update on sync_health
  for each row when (
    old.paused_since is distinct from new.paused_since
    or old.missing_fields is distinct from new.missing_fields
    or (old.failure_streak >= 5) <> (new.failure_streak >= 5)
  )
  execute function announce('sync');

-- Recurring tasks, and when each last ran.
create table tasks (
  name text primary key,
  since timestamptz not null default now(),
  seen_at timestamptz,
  -- One process may run the task until then.
  leased_by uuid,
  leased_until timestamptz,
  -- When an operator asked for the task.
  requested_at timestamptz,
  retry_at timestamptz,
  cursor text,
  -- The last success covers changes until then: the start of a comparison or a dump.
  covers_until timestamptz,
  -- The last try's failure.
  failure text,
  detail jsonb not null default '{}',
  constraint task_lease_is_whole check ((leased_by is null) = (leased_until is null))
);
insert into tasks (name, seen_at, covers_until, detail) values
  -- A worker ran at seen_at, without a gap from since.
  ('worker', now(), null, '{}'),
  -- A worker ended at seen_at because nothing moved.
  ('watchdog', null, null, '{}'),
  -- seen_at: the start of the comparison in progress, else of the last. detail counts people, live
  -- subscriptions, subscribers without a lead, and unreadable subscribers.
  ('comparison', now(), null,
    '{"subscribersRead": 0, "unknownRead": 0, "skipped": 0, "checked": 0, "unknown": 0,
      "paymentsChecked": 0}'),
  -- The service backup writes these three. It ran at seen_at; null: it never did. covers_until: the
  -- end of the newest good backup.
  ('backup', null, null, '{}'),
  -- Every change until covers_until is in the archive. failure: a part of the log was dropped.
  -- cursor: the segment that was written at seen_at.
  ('archive', null, null, '{}'),
  -- The newest backup was last restored on trial at covers_until.
  ('trial-restore', null, null, '{}'),
  -- deploy/keep-settings.sh last copied settings and secrets at covers_until.
  ('settings-copy', null, null, '{}'),
  -- Fetches undelivered events from Stripe's list. Events from before since do not count as
  -- undelivered. failure: the permission that the key lacks.
  ('stripe-events', '-infinity', null, '{}'),
  -- The nightly reading of the live subscriptions.
  ('stripe-reading', null, now(), '{}'),
  -- failure: Stripe refuses to ask for acceptance of our terms. Checkouts continue without it.
  ('stripe-terms', null, null, '{}'),
  -- Events with a wrong signature from since to seen_at. STRIPE_WEBHOOK_SECRET may belong to
  -- another endpoint.
  ('stripe-signatures', null, null, '{"refused": 0}'),
  -- Beehiiv's last event came at seen_at. A worker last registered our webhook at covers_until, or
  -- Beehiiv refused it with the reason in failure.
  ('beehiiv-events', null, null, '{}');

create table bulk_retries (
  id uuid primary key,
  operator text not null,
  filter jsonb not null,
  total integer not null default 0,
  -- The worker counts these from bulk_retry_leads.
  sent integer not null default 0,
  failed integer not null default 0,
  waiting integer not null default 0,
  not_retried integer not null generated always as (total - sent - failed - waiting) stored,
  created_at timestamptz not null default sync_now(),
  stopped_at timestamptz,
  -- All its leads have ended, or Stop has given back those without an attempt.
  finished_at timestamptz
);

create index bulk_retries_newest on bulk_retries (created_at desc);
-- One bulk retry runs at a time.
create unique index bulk_retries_one_open on bulk_retries ((finished_at is null))
where finished_at is null;

create trigger bulk_retries_announced after insert or update on bulk_retries
  for each row execute function announce('bulk-retry');

create table bulk_retry_leads (
  bulk_retry_id uuid not null references bulk_retries on delete cascade,
  lead_id uuid not null references leads on delete cascade,
  -- started: pending because of this bulk retry. skipped: not failed at its turn, or corrected
  -- since. returned: given back by Stop.
  state text not null default 'waiting'
    check (state in ('waiting', 'started', 'sent', 'failed', 'skipped', 'returned')),
  primary key (bulk_retry_id, lead_id)
);

create index bulk_retry_leads_by_lead on bulk_retry_leads (lead_id);
create index bulk_retry_leads_by_state on bulk_retry_leads (bulk_retry_id, state);

-- The last comparison's findings, operators' decisions since, and unknown subscribers that the
-- comparison in progress has found.
create table differences (
  id bigint primary key generated always as identity,
  kind text not null check (kind in (
    'pays-not-active', 'pays-twice', 'premium-not-paying', 'unknown-here', 'missing-there',
    'invalid', 'unsubscribed'
  )),
  email_normalised text not null,
  lead_id uuid references leads on delete cascade,
  -- Null if the person is not at Beehiiv.
  subscriber_id text,
  subscriber_status text,
  stripe_subscription_id text,
  -- Null if only a person can decide.
  remedy text check (remedy in ('add-again', 'set-premium', 'set-free')),
  found_at timestamptz not null default sync_now(),
  -- When an operator asked for the remedy. A worker applies it and deletes the row.
  requested_at timestamptz,
  -- Its person was judged since.
  is_judged boolean not null default false,
  constraint differences_request_a_remedy check (requested_at is null or remedy is not null)
);

create index differences_requested on differences (requested_at) where requested_at is not null;
create index differences_to_judge on differences (email_normalised)
  where kind = 'pays-not-active' and not is_judged;
create index differences_by_kind on differences (kind, id);
create index differences_by_lead on differences (lead_id);
create index differences_by_email on differences (email_normalised);
