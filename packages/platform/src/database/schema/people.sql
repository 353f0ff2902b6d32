-- People, one row for each normalised email, with their notes and removal requests.

-- A person's name, state, last status at Beehiiv, tier and free access. The row is the person's
-- lock. Only lock_person() inserts rows, and judge_person() deletes them. All other code updates,
-- so that no late answer restores an erased person.
create table people (
  email_normalised text primary key check (char_length(email_normalised) <= 254),
  -- From here to difference_id, judge_person() sets each column, and the tier that is wanted. The
  -- email, name, company and phone are from subscriptions, else from leads.
  email text not null,
  name text,
  company text,
  -- The last nine digits, which are the same with and without a country code.
  phone_digits text,
  -- Every name, at most ten, one a line, because a form may have another name than the card.
  names text not null default '',
  -- Empty if nobody has the email.
  searched text not null generated always as (
    case when seen_at > '-infinity' then plain_words(
      E'\n' || email_normalised || E'\n' || names || E'\n' || coalesce(company, '')
    ) else '' end
  ) stored,
  -- The last form, start of a subscription, or gift of free access. -infinity: nobody has the
  -- email, and only a lock or our unsubscription of it keeps the row, which no list shows.
  seen_at timestamptz not null default now(),
  -- Null: the person has only leads that look automated, or none.
  state text check (
    state in (
      'trial', 'paying', 'payment-failed', 'unsettled', 'ended', 'free-access', 'not-receiving',
      'none'
    )
  ),
  state_since timestamptz,
  state_until timestamptz,
  -- Why they do not receive, or why the subscription that decides the state needs attention.
  state_reason text,
  -- The subscription that decides the state, and its plan.
  main_subscription text,
  plan text,
  -- Their payments less refunds and what banks hold, in pounds alone.
  paid_pence bigint not null default 0,
  -- The live subscription that entitles them to the paid issue: their own, or another payer's.
  entitled_by text,
  -- Their lead that counts: sent, else waiting, else the newest failed lead. Null unless entitled.
  deciding_lead uuid,
  -- The difference by which they do not receive, unless a newer answer contradicts it.
  difference_id bigint,
  -- When time alone changes the state, or may.
  judge_again_at timestamptz,

  -- Beehiiv's last answer about the person. Without a status, but with learned_at: absent there.
  subscriber_id text,
  status text,
  -- When we first learned the status. Only a newer consent may resubscribe an inactive person.
  status_since timestamptz,
  -- The time of Beehiiv's last answer.
  learned_at timestamptz,
  -- When to look the status up: it may soon change, or Beehiiv has sent an event.
  check_due_at timestamptz,
  -- When we unsubscribed a mistyped email that had not unsubscribed before. Cleared when Beehiiv
  -- has another status, and after 30 days. Until then a row without anything else is in no list.
  unsubscribed_by_us_at timestamptz,
  -- When Beehiiv last sent an event about the person.
  heard_at timestamptz,
  -- When a comparison last found the person, and their tier then.
  listed_at timestamptz,
  listed_tier text,

  -- The tier the person should have at Beehiiv. Null: never premium. The tier can change back and
  -- forth, so it has a version, not a status.
  tier text check (tier in ('premium', 'free')),
  tier_version integer not null default 0,
  tier_confirmed_version integer not null default 0
    check (tier_confirmed_version between 0 and tier_version),
  tier_confirmed_at timestamptz,
  -- When the version last changed.
  tier_since timestamptz,
  -- A payment asks for the newsletter, so the worker activates the subscriber once.
  must_activate boolean not null default false,
  -- They had unsubscribed, and Beehiiv asked them to confirm a later consent.
  must_confirm boolean not null default false,
  tier_attempts integer not null default 0,
  tier_next_attempt_at timestamptz,
  -- Beehiiv does not know the email of this premium tier. The tier is set again once the email is
  -- added.
  not_receiving_since timestamptz,

  -- Free access, until a date or as long as somebody's subscription is live.
  free_until timestamptz,
  free_with_subscription text,
  free_granted_by text,
  free_granted_at timestamptz,
  -- The reader's name and why they have access, in the operator's words.
  free_name text check (char_length(free_name) <= 200),
  free_reason text check (char_length(free_reason) <= 200),

  constraint people_have_a_whole_tier check (
    (tier is null) = (tier_version = 0) and (tier is null) = (tier_since is null)
    and (tier is null) = (tier_next_attempt_at is null)
  ),
  constraint people_have_one_end_of_access check (
    num_nonnulls(free_until, free_with_subscription) = case when free_granted_by is null then 0
      else 1 end
    and (free_granted_by is null) = (free_granted_at is null)
    and (free_granted_by is not null or num_nonnulls(free_name, free_reason) = 0)
  )
) with (fillfactor = 70);

create index people_newest on people (state_since desc nulls last, email_normalised)
  where state is not null;
create index people_by_state on people (state, state_since desc nulls last, email_normalised)
  where state is not null;
create index people_by_plan on people (plan, state_since desc nulls last, email_normalised)
  where state is not null and plan is not null;
create index people_on_list on people (state_since desc nulls last, email_normalised)
  where status = 'active';
create index people_by_plan_and_paid on people (plan, paid_pence desc, email_normalised)
  where state is not null and plan is not null;
create index people_by_paid on people (paid_pence desc, email_normalised);
create index people_by_state_and_paid on people (state, paid_pence desc, email_normalised)
  where state is not null;
create index people_by_words on people using gin (searched gin_trgm_ops);
create index people_by_phone on people (phone_digits) where phone_digits is not null;
create index people_to_check on people (check_due_at) where check_due_at is not null;
create index people_with_open_tier on people (tier_next_attempt_at)
  where tier_confirmed_version < tier_version;
create index people_to_judge on people (judge_again_at) where judge_again_at is not null;
create index people_with_difference on people (difference_id) where difference_id is not null;
create index people_with_access on people (free_until, email_normalised)
where free_granted_by is not null;
create index people_unsubscribed_by_us on people (unsubscribed_by_us_at)
  where unsubscribed_by_us_at is not null;
create index people_by_access on people (free_with_subscription)
where free_with_subscription is not null;

-- A change that affects a person's state has them judged at the commit.
create constraint trigger people_locked_first after insert on people
  deferrable initially deferred
  for each row when (new.seen_at = '-infinity')
  execute function judge_changed_person();
create constraint trigger people_judged after update on people
  deferrable initially deferred
  for each row when (
    (old.unsubscribed_by_us_at, old.free_until, old.free_with_subscription, old.free_granted_at,
      old.free_name)
    is distinct from
    (new.unsubscribed_by_us_at, new.free_until, new.free_with_subscription, new.free_granted_at,
      new.free_name)
    or new.entitled_by is not null and (
      old.status, old.status_since, old.must_activate, old.tier_version,
      old.tier_confirmed_version, old.tier_confirmed_at, old.tier_attempts, old.not_receiving_since
    ) is distinct from (
      new.status, new.status_since, new.must_activate, new.tier_version,
      new.tier_confirmed_version, new.tier_confirmed_at, new.tier_attempts, new.not_receiving_since
    )
    or new.difference_id is not null and old.learned_at is distinct from new.learned_at
  )
  execute function judge_changed_person();
create trigger people_tier_raised before update of tier_version on people
  for each row
    when (new.tier_version > old.tier_version
    and new.tier_since is not distinct from old.tier_since)
  execute function raise_tier();

create table notes (
  id uuid primary key,
  email_normalised text not null check (char_length(email_normalised) <= 254),
  text text not null check (char_length(text) between 1 and 2000),
  operator text not null,
  created_at timestamptz not null default now()
);

create index notes_by_email on notes (email_normalised, created_at desc);
create index notes_by_words on notes using gin (lower(text) gin_trgm_ops);

-- Requests to erase a subscriber at Beehiiv, or to unsubscribe a mistyped email. The row keeps the
-- email until then. An erasure looks again after an hour.
create table removal_requests (
  id uuid primary key,
  kind text not null check (kind in ('erasure', 'unsubscribe')),
  email_normalised text,
  -- The lead with the correct email, when a mistyped email is unsubscribed.
  lead_id uuid references leads on delete cascade,
  -- An erasure's count of deleted rows in each table.
  erased jsonb,
  requested_by text not null,
  requested_at timestamptz not null default sync_now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default sync_now(),
  last_message text check (char_length(last_message) <= 1000),
  reason text check (reason ~ '^[a-z-]{1,40}$'),
  -- When Beehiiv first had no subscriber with the email. New leads with it are sent from then on.
  deleted_at timestamptz,
  done_at timestamptz,
  constraint removal_requests_drop_the_email
    check ((done_at is null) = (email_normalised is not null)),
  constraint removal_requests_have_a_receipt check ((kind = 'erasure') = (erased is not null))
);

create unique index removal_requests_unsubscribing on removal_requests (email_normalised)
  where kind = 'unsubscribe' and done_at is null;
-- An email may have several open erasures, each with its own receipt.
create index removal_requests_erasing on removal_requests (email_normalised)
  where kind = 'erasure' and done_at is null;
create index removal_requests_due on removal_requests (kind, next_attempt_at)
  where done_at is null;
create index removal_requests_by_lead on removal_requests (lead_id) where lead_id is not null;
create index removal_requests_erasures on removal_requests (requested_at) where kind = 'erasure';

-- Our and Stripe's ids of erased people, and unpaid checkouts of deleted leads. Later reports about
-- them are stored without the person.
create table erased_ids (
  id text primary key check (char_length(id) <= 255),
  erased_at timestamptz not null default now()
);
