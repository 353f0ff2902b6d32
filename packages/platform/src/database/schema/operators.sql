-- Operators, their logins and their actions.

create table users (
  id uuid primary key,
  username text not null check (char_length(username) between 1 and 200),
  -- A viewer looks, and changes only their own account.
  role text not null default 'owner' check (role in ('owner', 'viewer')),
  -- argon2id hash.
  password text not null,
  -- When a one-time password ends. Null for a password that the operator chose, or of a command.
  password_ends_at timestamptz,
  -- The encrypted secret of the authenticator app. Null without two-step login.
  two_step_login text,
  -- The latest time step whose code was used: a code works once.
  two_step_login_step bigint,
  -- Hashes of the unused codes.
  recovery_codes text[] not null default '{}',
  -- Raised to make the marks of the operator's earlier browsers invalid.
  browser_epoch integer not null default 0,
  -- Their login at /admin-leads opens Overview instead of Leads.
  opens_overview boolean not null default false,
  -- Rows read from each list in that hour. After the hour they are recorded as an action.
  readings_hour timestamptz,
  readings jsonb not null default '{}',
  created_at timestamptz not null default now()
);

-- "C" folds only A to Z, on every server. Other collations take admİn for admin.
create unique index users_by_name on users (lower(username collate "C"));

-- Only a login and a replaced id insert rows, under the operator's lock. Nothing else does, so that
-- no late call brings an ended session back.
create table operator_sessions (
  sid text primary key,
  -- The cookie's settings, which the library reads.
  sess json not null,
  expire timestamptz not null,
  operator_id uuid not null references users on delete cascade,
  -- Identifies this login under each of its session ids.
  login uuid not null,
  browser text,
  started_at timestamptz not null,
  issued_at timestamptz not null,
  -- When the operator last gave the password or a code.
  confirmed_at timestamptz not null,
  used_at timestamptz not null,
  -- When a new id replaced this one.
  replaced_at timestamptz,
  -- A two-step login not yet confirmed by a code, sealed.
  pending_two_step_login text
);

create index operator_sessions_by_expiry on operator_sessions (expire);
create index operator_sessions_by_operator on operator_sessions (operator_id, login);

-- Append only. Holds ids and counts, never personal data of leads or payers.
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

create trigger operator_actions_append_only before update or delete on operator_actions
  for each row execute function refuse_change();
create trigger operator_actions_kept before truncate on operator_actions
  for each statement execute function refuse_change();

-- Attempts to log in. They and actions share a sequence of ids, so both sort as one list. Retention
-- clears the client's network and names that no operator has. After a password reset, earlier
-- failures no longer count. Nothing else changes.
create table logins (
  id bigint primary key default nextval('operator_actions_id_seq'),
  at timestamptz not null default now(),
  outcome text not null check (outcome in ('succeeded', 'failed', 'refused')),
  -- The operator who logged in or failed to.
  operator text,
  subject text,
  -- The operator's id, or a hash of a name that no operator has.
  account text,
  client text,
  -- The browser, if it had signed in to this account before.
  device text,
  browser text,
  is_code boolean not null default false,
  counts boolean not null default true
);

create index logins_by_account on logins (account, at);
create index logins_by_client on logins (client, at) where outcome = 'failed';
create index logins_by_device on logins (device, at) where device is not null;
create index logins_by_operator on logins (operator, id) where operator is not null;
create index logins_by_time on logins (at) where client is not null;

-- Operators' requests to change money, so that a repeat with the same key does nothing more, and an
-- act whose answer was lost is recorded. Holds ids and amounts, never personal data.
create table operator_requests (
  operator text not null,
  key text not null check (char_length(key) <= 200),
  -- A hash of key and whole request, because another request with the key is refused. Stripe knows
  -- the request by it.
  request text not null unique,
  -- Its record in operator_actions, once it is done.
  action text not null,
  subject text,
  detail jsonb not null,
  recorded_at timestamptz,
  -- The answer to a repeat. Null until the act is done.
  result jsonb,
  created_at timestamptz not null default now(),
  primary key (operator, key)
);

create index operator_requests_by_subject on operator_requests (subject);
