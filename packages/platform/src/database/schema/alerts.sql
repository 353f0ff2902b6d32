-- Alerts, outages, and emails to the owner.

create table sync_alerts (
  -- With the cause, where a kind has several.
  kind text primary key check (char_length(kind) <= 40),
  since timestamptz not null,
  -- When the webhook accepted the message.
  alerted_at timestamptz,
  -- Until then, one process is sending a message about it.
  claimed_until timestamptz not null default '-infinity'
);

-- The times in which no lead was sent, or nobody could subscribe: each such alert that has ended.
create table outages (
  since timestamptz not null,
  kind text not null check (
    kind in ('no-worker', 'paused', 'outage', 'stalled', 'stripe-unavailable')
  ),
  until timestamptz not null,
  -- Leads that were pending in that time, as far as it is known.
  waited integer not null,
  primary key (since, kind)
);

create table mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('attention', 'grave', 'security', 'weekly')),
  -- What it is about, if it is sent only once.
  once text unique,
  -- Until it is sent.
  body jsonb,
  -- The normalised emails of everybody it names: an erasure takes them out.
  people text[] not null default '{}',
  created_at timestamptz not null default sync_now(),
  due_at timestamptz not null default sync_now(),
  attempts integer not null default 0,
  -- Until then, one process is sending it.
  claimed_until timestamptz not null default '-infinity',
  sent_at timestamptz,
  given_up_at timestamptz
);

create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;
create index mails_by_time on mails (created_at);
create index mails_sent on mails (sent_at);
create index mails_by_person on mails using gin (people);

-- What needs attention and was in an email.
create table mailed_attention (
  item text primary key check (char_length(item) <= 600),
  -- Minutes later the item is forgotten. One that comes and goes is not mailed each time.
  resolved_at timestamptz
);
