-- What belongs to an address: Beehiiv's word, its tier, free access, notes and requests.

-- What the newsletter says of each person.
create table subscribers (
  email_normalised text primary key,
  subscriber_id text,
  status text not null,
  -- When the status was first learned. An inactive person has left by then, and only a newer
  -- consent may resubscribe them.
  status_since timestamptz not null,
  -- When the newsletter was last asked.
  learned_at timestamptz not null,
  -- Of a status that may soon change: when to ask again.
  check_due_at timestamptz
);

create index subscribers_to_check on subscribers (check_due_at) where check_due_at is not null;

create trigger subscribers_doubt after insert or delete or update of status on subscribers
  for each row execute function doubt_tier_of_subscriber();

-- Subscribers by status and the day since when they have it, kept as lead_counts is.
create table subscriber_counts (
  day date not null,
  status text not null,
  shard smallint not null,
  subscribers bigint not null,
  primary key (day, status, shard)
);

create trigger subscribers_counted_insert after insert on subscribers
  referencing new table as moved
  for each statement execute function count_subscribers();
create trigger subscribers_counted_delete after delete on subscribers
  referencing old table as moved
  for each statement execute function count_subscribers();
create trigger subscribers_counted_update after update on subscribers
  referencing old table as removed new table as added
  for each statement execute function count_subscribers();
create trigger subscribers_counted_truncate after truncate on subscribers
  for each statement execute function count_subscribers();

-- The tier that an address should have at the newsletter. It can change back and forth, so it has
-- a version, not a status.
create table subscriber_tiers (
  email_normalised text primary key,
  wanted text not null check (wanted in ('premium', 'free')),
  version integer not null default 1 check (version >= 1),
  confirmed_version integer not null default 0 check (confirmed_version between 0 and version),
  confirmed_at timestamptz,
  -- A payment asks for the newsletter: the subscriber is made active once.
  must_activate boolean not null default false,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default sync_now(),
  last_message text check (char_length(last_message) <= 1000),
  -- The newsletter does not know the address of this premium tier: it is set again when the
  -- address has been added.
  not_receiving_since timestamptz,
  -- Premium, and not known to be confirmed and active.
  is_in_doubt boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index subscriber_tiers_due on subscriber_tiers (next_attempt_at)
  where confirmed_version < version;
create index subscriber_tiers_in_doubt on subscriber_tiers (email_normalised) where is_in_doubt;

create trigger subscriber_tiers_doubt before insert or update on subscriber_tiers
  for each row execute function doubt_tier();
-- A changed doubt is no change of the tier.
create trigger subscriber_tiers_touch before update of
    wanted, version, confirmed_version, confirmed_at, must_activate, attempts, next_attempt_at,
    last_message, not_receiving_since
  on subscriber_tiers for each row execute function touch_updated_at();

-- Free access, until a date or as long as somebody's subscription is live.
create table complimentary_access (
  email_normalised text primary key check (char_length(email_normalised) <= 254),
  until timestamptz,
  with_subscription text,
  granted_by text not null,
  granted_at timestamptz not null default now(),
  -- When the tier was taken back.
  ended_at timestamptz,
  constraint complimentary_access_has_one_end check ((until is null) <> (with_subscription is null))
);

create index complimentary_access_due on complimentary_access (until) where ended_at is null;
create index complimentary_access_by_subscription on complimentary_access (with_subscription)
  where with_subscription is not null;

create table notes (
  id uuid primary key,
  email_normalised text not null check (char_length(email_normalised) <= 254),
  text text not null check (char_length(text) between 1 and 2000),
  operator text not null,
  created_at timestamptz not null default now()
);

create index notes_by_address on notes (email_normalised, created_at desc);
create index notes_by_words on notes using gin (lower(text) gin_trgm_ops);

-- What the newsletter has still to do with an address: erase its subscriber, or unsubscribe one that
-- was mistyped. The address stays until then. An erasure looks again after an hour.
create table address_requests (
  id uuid primary key,
  kind text not null check (kind in ('erasure', 'unsubscribe')),
  email_normalised text,
  -- Of a mistyped address: the lead with the correct one.
  lead_id uuid references leads on delete cascade,
  -- Of an erasure: how many rows of each table were deleted.
  erased jsonb,
  requested_by text not null,
  requested_at timestamptz not null default sync_now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default sync_now(),
  last_message text check (char_length(last_message) <= 1000),
  reason text check (reason ~ '^[a-z-]{1,40}$'),
  -- When the newsletter first had nobody of that address. New leads of it are sent from then on.
  deleted_at timestamptz,
  done_at timestamptz,
  constraint address_requests_drop_the_address
    check ((done_at is null) = (email_normalised is not null)),
  constraint address_requests_have_a_receipt check ((kind = 'erasure') = (erased is not null))
);

create unique index address_requests_open on address_requests (email_normalised, kind)
  where done_at is null;
create index address_requests_due on address_requests (kind, next_attempt_at)
  where done_at is null;
create index address_requests_by_lead on address_requests (lead_id) where lead_id is not null;
create index address_requests_erasures on address_requests (requested_at) where kind = 'erasure';

-- Our and Stripe's ids of erased people. Later reports about them are stored without the person.
create table erased_ids (
  id text primary key check (char_length(id) <= 255),
  erased_at timestamptz not null default now()
);
