-- Operators, their logins, and what they did.

create table users (
  id uuid primary key,
  username text not null check (char_length(username) between 1 and 200),
  -- argon2id hash.
  password text not null,
  -- The secret of the authenticator app, encrypted. Null without one.
  second_factor text,
  -- The latest time step whose code was used: a code works once.
  second_factor_step bigint,
  -- Only marks of an operator's browsers that name this number count.
  browser_epoch integer not null default 0,
  created_at timestamptz not null default now()
);

-- "C" folds A to Z and nothing else, on every server. Other rules take admİn for admin.
create unique index users_by_name on users (lower(username collate "C"));

create table operator_recovery_codes (
  operator_id uuid not null references users on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);

create table operator_sessions (
  sid text primary key,
  sess json not null,
  expire timestamptz not null,
  used_at timestamptz not null default now()
);

create index operator_sessions_by_expiry on operator_sessions (expire);
create index operator_sessions_by_operator on operator_sessions ((sess -> 'operator' ->> 'id'));

-- Failed and refused logins. The retention deletes old ones.
create table login_failures (
  id bigint primary key generated always as identity,
  at timestamptz not null default now(),
  -- The operator's id, or a hash of a name that no operator has.
  account text not null,
  client text not null,
  -- The browser, if it had signed in to this account before.
  device text,
  browser text,
  -- Whether it counts towards the limit: not a refusal, and not before a reset.
  is_counted boolean not null default true
);

create index login_failures_by_account on login_failures (account, at);
create index login_failures_by_client on login_failures (client, at);
create index login_failures_by_device on login_failures (device, at) where device is not null;
create index login_failures_by_time on login_failures (at);

-- The client's network of a login that succeeded. Actions on record never change, and the
-- retention deletes this.
create table login_networks (
  -- The login, in operator_actions.
  action_id bigint primary key,
  at timestamptz not null default now(),
  network text not null
);

create index login_networks_by_time on login_networks (at);

-- Append only. Ids and counts, never personal data of leads or payers.
create table operator_actions (
  id bigint primary key generated always as identity,
  at timestamptz not null default now(),
  operator text,
  action text not null check (char_length(action) <= 40),
  subject text check (char_length(subject) <= 200),
  detail jsonb not null default '{}'
);

create index operator_actions_by_operator on operator_actions (operator, id);
create index operator_actions_by_subject on operator_actions (subject) where subject is not null;
create index operator_actions_logins on operator_actions (operator, id) where action = 'login';
create index operator_actions_failed_logins on operator_actions (subject, id)
  where action = 'login-failed';

create trigger operator_actions_append_only before update or delete on operator_actions
  for each row execute function refuse_change();
create trigger operator_actions_kept before truncate on operator_actions
  for each statement execute function refuse_change();

-- Of the current hour. Then they become operator_actions.
create table operator_readings (
  operator text not null,
  hour timestamptz not null,
  listed text not null,
  rows bigint not null,
  primary key (operator, hour, listed)
);

-- What an operator's request to change money did, so that a repeat with the same key does nothing
-- more. Ids and amounts, never personal data.
create table operator_requests (
  operator text not null,
  key text not null check (char_length(key) <= 200),
  request text not null,
  result jsonb not null,
  created_at timestamptz not null default now(),
  primary key (operator, key)
);
