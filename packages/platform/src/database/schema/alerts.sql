-- Alerts, outages, and emails to the owner.

create table sync_alerts (
  -- A kind with several causes includes its cause.
  kind text primary key check (char_length(kind) <= 40),
  since timestamptz not null,
  -- When the webhook accepted the message.
  alerted_at timestamptz,
  -- One process may send the message until then.
  claimed_until timestamptz not null default '-infinity'
);

-- Ended alerts about times in which no lead was sent or nobody could subscribe.
create table outages (
  since timestamptz not null,
  kind text not null check (
    kind in ('no-worker', 'paused', 'outage', 'stalled', 'stripe-unavailable')
  ),
  until timestamptz not null,
  -- Leads known to have been pending in that time.
  waited integer not null,
  primary key (since, kind)
);

create table mails (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('attention', 'grave', 'security', 'weekly')),
  -- The subject of a mail that is sent only once.
  once text unique,
  -- Null once the mail is sent.
  body jsonb,
  -- The normalised emails of everybody the mail names. An erasure removes them.
  people text[] not null default '{}',
  created_at timestamptz not null default sync_now(),
  due_at timestamptz not null default sync_now(),
  attempts integer not null default 0,
  -- One process may send the mail until then.
  claimed_until timestamptz not null default '-infinity',
  sent_at timestamptz,
  given_up_at timestamptz
);

create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;
create index mails_by_time on mails (created_at);
create index mails_sent on mails (sent_at);
create index mails_by_person on mails using gin (people);

-- Items needing attention that the owner was mailed.
create table mailed_attention (
  item text primary key check (char_length(item) <= 600),
  -- The row is deleted minutes later, so that a flickering item is not mailed each time.
  resolved_at timestamptz
);
