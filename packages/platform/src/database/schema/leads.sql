-- Submissions, the console's counters, and the changes that open consoles follow.

-- Text within names, emails and companies is found by its three-letter parts.
create extension if not exists pg_trgm;

create table leads (
  id uuid primary key,
  email text not null check (char_length(email) between 3 and 254),
  email_normalised text not null generated always as (normalised_email(email)) stored,
  form_type text not null check (form_type in ('pre_sample', 'pre_buy')),
  full_name text,
  company text,
  phone text,
  message text,
  submitted_at timestamptz not null default now(),
  consent_marketing boolean not null default false,
  consent_timestamp timestamptz,
  consent_text_version text,
  consent_page text,

  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  visit_utm_source text,
  visit_utm_medium text,
  visit_utm_campaign text,
  visit_utm_term text,
  visit_utm_content text,
  first_utm_source text,
  first_utm_medium text,
  first_utm_campaign text,
  first_utm_term text,
  first_utm_content text,
  gclid text,
  fbclid text,
  ttclid text,
  landing_page text,
  first_page text,
  referrer text,
  session_id text,
  ga_client_id text,

  user_agent text,
  ip_address text,
  device_type text,
  country text,
  region text,
  city text,
  -- The id of the request that brought the lead. Every log line about the lead has it.
  trace_id text,
  quarantine_reason text,

  beehiiv_status text not null default 'pending'
    check (beehiiv_status in ('pending', 'sent', 'failed')),
  -- The text of the last answer. Code never parses it.
  beehiiv_response text check (octet_length(beehiiv_response) <= 4096),
  -- A reason from beehiiv-answers.ts. Any word is allowed, so that each release can add reasons.
  beehiiv_reason text check (beehiiv_reason ~ '^[a-z-]{1,40}$'),
  beehiiv_sent_at timestamptz,
  -- The last change from pending to failed. A stopped bulk retry leaves it alone.
  failed_at timestamptz,
  -- A sent lead's copy of its person's status, for the filters.
  subscriber_status text,

  sync_round integer not null default 1 check (sync_round >= 1),
  -- This round's attempts that spent budget.
  budget_spent integer not null default 0 check (budget_spent >= 0),
  round_started_at timestamptz not null default now(),
  -- A pending lead without a time waits until Beehiiv accepts additions again.
  next_attempt_at timestamptz default sync_now(),
  -- A request's answer was never recorded, so the next run looks the email up first.
  outcome_unknown boolean not null default false,
  -- The time to tell Beehiiv of a consent that a repeat gave after the lead was sent.
  consent_due_at timestamptz,
  -- priority: a payer's lead, or retried alone by hand. new: never tried. retry: tried before.
  -- bulk: part of a bulk retry.
  urgency text not null default 'new' check (urgency in ('priority', 'new', 'retry', 'bulk')),

  -- Stored, because a search compares many thousands of leads and plain_words() is slow.
  searched text not null generated always as (
    plain_words(E'\n' || normalised_email(email) || E'\n' || coalesce(full_name, '') || E'\n'
      || coalesce(company, ''))
  ) stored,

  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- With a larger sample Postgres knows the common words, which a scan finds faster than the index.
alter table leads alter column searched set statistics 400;

create index leads_newest on leads (submitted_at desc, id desc);
create index leads_newest_by_form on leads (form_type, submitted_at desc, id desc);
-- The counters of sent leads read this index alone.
create index leads_newest_by_status_and_parts on leads (beehiiv_status, submitted_at desc, id desc)
  include (form_type, subscriber_status);
create index leads_newest_by_form_and_status
  on leads (form_type, beehiiv_status, submitted_at desc, id desc);
-- An index entry has a size limit, and a long source must not refuse its lead.
create index leads_newest_by_source
  on leads (left(button_of(form_type, utm_source), 64), submitted_at desc, id desc);
create index leads_newest_by_subscriber on leads (subscriber_status, submitted_at desc, id desc)
  where subscriber_status is not null;
create index leads_quarantined on leads (submitted_at desc, id desc)
  include (form_type, beehiiv_status) where quarantine_reason is not null;
create index leads_by_trace on leads (trace_id);
create index leads_by_email on leads (email_normalised, form_type, submitted_at desc);
create index leads_by_words on leads using gin (searched gin_trgm_ops);
create index leads_due on leads (next_attempt_at) where beehiiv_status = 'pending';
create index leads_by_urgency on leads (urgency, next_attempt_at)
  where beehiiv_status = 'pending';
create index leads_waiting_for_beehiiv on leads (urgency desc)
  where beehiiv_status = 'pending' and next_attempt_at is null;
create index leads_waiting_longest on leads (submitted_at)
  where beehiiv_status = 'pending' and urgency <> 'bulk';
create index leads_by_failure on leads (failed_at) where beehiiv_status = 'failed';
create index leads_sent_again on leads (id) where beehiiv_status = 'sent' and sync_round > 1;
create index leads_with_later_consent on leads (consent_due_at) where consent_due_at is not null;
create index leads_with_network_data on leads (submitted_at)
  where ip_address is not null or user_agent is not null;

create trigger leads_touch before update on leads
  for each row execute function touch_updated_at();
create trigger leads_legal_transition before update on leads
  for each row when (
    old.beehiiv_status is distinct from new.beehiiv_status
    or old.email is distinct from new.email
  )
  execute function guard_lead_status();

-- The emails that leads had before an operator corrected them. Nothing else keeps such an email but
-- an attempt while it is open.
create table former_emails (
  id bigint primary key generated always as identity,
  lead_id uuid not null references leads on delete cascade,
  email text not null check (char_length(email) <= 254),
  email_normalised text not null generated always as (normalised_email(email)) stored,
  operator text not null,
  corrected_at timestamptz not null default now()
);

create index former_emails_by_lead on former_emails (lead_id);
create index former_emails_by_email on former_emails (email_normalised);

-- Submissions with the same key are one lead until the key ends. A key is a hash of an email, as it
-- was submitted, with an Idempotency-Key, or with the form and visitor within ten minutes. The key
-- of a browser that may send an erased lead again stays, without the lead.
create table submission_keys (
  key text primary key check (char_length(key) <= 64),
  is_form boolean not null,
  lead_id uuid references leads on delete cascade deferrable initially deferred,
  until timestamptz not null
);

create index submission_keys_by_end on submission_keys (until);
create index submission_keys_by_lead on submission_keys (lead_id);

-- The console's four counters. Triggers keep them in the writer's transaction, so every writer
-- counts.
create table lead_counts (
  -- In Europe/London.
  day date not null,
  form_type text not null,
  beehiiv_status text not null,
  -- A sent lead's subscriber status. Empty for every other lead.
  subscriber_status text not null default '',
  shard smallint not null,
  leads bigint not null,
  primary key (day, form_type, beehiiv_status, subscriber_status, shard)
);

create trigger leads_counted_insert after insert on leads
  referencing new table as moved
  for each statement execute function count_moved_leads();
create trigger leads_counted_delete after delete on leads
  referencing old table as moved
  for each statement execute function count_moved_leads();
create trigger leads_counted_update after update on leads
  referencing old table as removed new table as added
  for each statement execute function count_updated_leads();
create trigger leads_counted_truncate after truncate on leads
  for each statement execute function count_no_leads();

-- A new lead's person is judged soon after its commit (judge_due), so that intake waits for nobody.
create constraint trigger leads_judged_update after update on leads
  deferrable initially deferred
  for each row when (
    (old.email, old.full_name, old.company, old.phone, old.quarantine_reason, old.beehiiv_status,
      old.subscriber_status, old.sync_round)
    is distinct from
    (new.email, new.full_name, new.company, new.phone, new.quarantine_reason, new.beehiiv_status,
      new.subscriber_status, new.sync_round)
  )
  execute function judge_changed_lead();
create constraint trigger leads_judged_delete after delete on leads
  deferrable initially deferred
  for each row execute function judge_changed_lead();

-- Readers remember a snapshot, not an id. Ids are assigned before their transactions commit, so an
-- id would miss changes that commit late.
create table live_changes (
  id bigint primary key generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  what text not null check (what in ('leads', 'sync', 'bulk-retry', 'money')),
  at timestamptz not null default clock_timestamp()
);

create index live_changes_by_transaction on live_changes (xid);
create index live_changes_by_time on live_changes (at);

create trigger leads_announced_insert after insert on leads
  referencing new table as moved
  for each statement execute function announce_leads();
create trigger leads_announced_delete after delete on leads
  referencing old table as moved
  for each statement execute function announce_leads();
create trigger leads_announced_update after update on leads
  referencing old table as removed new table as added
  for each statement execute function announce_changed_leads();
create trigger leads_announced_truncate after truncate on leads
  for each statement execute function announce('leads');

create table sample_requests (
  id uuid primary key,
  email text not null,
  name text,
  company text,
  lead_id uuid references leads on delete set null,
  created_at timestamptz not null default now()
);

create index sample_requests_by_email on sample_requests (normalised_email(email));
create index sample_requests_by_lead on sample_requests (lead_id);

create table tracked_events (
  id bigint primary key generated always as identity,
  event text not null,
  page text not null,
  created_at timestamptz not null default now()
);

create index tracked_events_by_time on tracked_events (created_at);

-- Page loads that do not come from our own pages, by London day and, each on its own, by page,
-- channel and campaign. Holds nothing of a person.
create table visits (
  day date not null,
  part text not null check (part in ('page', 'channel', 'campaign')),
  name text not null,
  count integer not null,
  primary key (day, part, name)
);
