-- Messages to owner and engineer, and past outages.

-- A row for each matter and channel.
create table notices (
  -- The engineer's webhook, or mail to the owner.
  channel text not null check (channel in ('webhook', 'mail')),
  -- The kind of a condition, item or mail, then its cause or id.
  what text not null check (char_length(what) <= 600),
  -- Its words without anybody's name.
  text text not null,
  -- The start of the matter.
  since timestamptz not null,
  -- When it became news. A message sent before that was about an earlier time.
  noticed_at timestamptz not null default sync_now(),
  sent_at timestamptz,
  -- The webhook's row is deleted once the recovery is sent, the mail's after 90 days.
  resolved_at timestamptz,
  attempts integer not null default 0,
  -- The next attempt: a process claims the message until then, or a failed one waits.
  due_at timestamptz not null default '-infinity',
  -- The content of a mail that is no matter, until it is sent.
  body jsonb,
  primary key (channel, what)
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
