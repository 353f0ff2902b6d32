import type { Knex } from 'knex';
import { queryOne } from '../query.ts';

/** The operator's console: operators and their sessions, search, live changes, bulk retries and the record of actions. */
export async function up(db: Knex): Promise<void> {
  await createOperators(db);
  await createSearch(db);
  await createChanges(db);
  await createRetryRuns(db);
}

async function createOperators(db: Knex): Promise<void> {
  await db.raw(`
    create table users (
      id uuid primary key,
      username text not null check (char_length(username) between 1 and 200),
      password text not null,
      second_factor text,
      second_factor_step bigint,
      created_at timestamptz not null default now()
    );
    -- "C" folds A to Z and nothing else, on every server. Other rules take admİn for admin.
    create unique index users_by_name on users (lower(username collate "C"));
    comment on column users.password is 'argon2id hash';
    comment on column users.second_factor is 'the secret of the authenticator app, encrypted; null without one';
    comment on column users.second_factor_step is 'the latest time step whose code was used: a code works once';

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
    create index operator_sessions_by_operator on operator_sessions ((sess->'operator'->>'id'));

    create table login_failures (
      id bigint primary key generated always as identity,
      at timestamptz not null default now(),
      account text not null,
      client text not null,
      device text
    );
    create index login_failures_by_account on login_failures (account, at);
    create index login_failures_by_client on login_failures (client, at);
    create index login_failures_by_device on login_failures (device, at) where device is not null;
    comment on table login_failures is 'of the last fifteen minutes, for the limit of failed logins';
    comment on column login_failures.account is 'the operator''s id, or a hash of a name that no operator has';
    comment on column login_failures.device is 'the browser, if it had signed in to this account before';

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
    create index operator_actions_failed_logins on operator_actions (subject, id) where action = 'login-failed';
    comment on table operator_actions is 'append only; ids and counts, never personal data of leads or payers';
    create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append only', tg_table_name; end $$;
    create trigger operator_actions_append_only before update or delete on operator_actions
      for each row execute function refuse_change();
    create trigger operator_actions_kept before truncate on operator_actions
      for each statement execute function refuse_change();
  `);
}

/** Text within names, addresses and companies is found through an index of three-letter parts. */
async function createSearch(db: Knex): Promise<void> {
  const found = await queryOne<{ isInstalled: boolean; isAvailable: boolean; mayCreate: boolean; name: string }>(
    db,
    `select exists (select from pg_extension where extname = 'pg_trgm') as is_installed,
       exists (select from pg_available_extensions where name = 'pg_trgm') as is_available,
       has_database_privilege(current_database(), 'create') as may_create, current_database() as name`,
  );
  if (!found.isInstalled && !(found.isAvailable && found.mayCreate)) {
    const why = found.isAvailable
      ? 'and this user may not create it: as a superuser, run CREATE EXTENSION pg_trgm'
      : 'and this server does not offer it: install the contrib package of its version, then run CREATE EXTENSION pg_trgm';
    throw new Error(`Search needs the extension pg_trgm, ${why} in the database "${found.name}". Then migrate again.`);
  }
  await db.raw(`
    create extension if not exists pg_trgm;
    create index leads_by_words on leads using gin (
      (E'\\n' || email_normalised || E'\\n' || coalesce(lower(full_name), '') || E'\\n' || coalesce(lower(company), '')) gin_trgm_ops
    );
  `);
}

/** Columns whose changes are not announced: the sync's own, and those that retention clears for many leads at once. */
const NOT_ANNOUNCED = [
  'updated_at',
  'outcome_unknown',
  'sync_round',
  'sync_attempts',
  'round_started_at',
  'subscriber_id',
  'subscriber_checked_at',
  'subscriber_check_due_at',
  'ip_address',
  'user_agent',
];
/** Every other column, those of later migrations included. */
const announcedOf = (row: string) => `to_jsonb(${row}) - '{${NOT_ANNOUNCED.join(',')}}'::text[]`;

/** A statement that changes more leads than this is announced once, as "many". */
const MOST_ANNOUNCED = 1_000;

const announceFunction = (name: string, changed: string, what: string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    with changed as (${changed}), size as (
      select count(*) <= ${MOST_ANNOUNCED} as is_small from (select from changed limit ${MOST_ANNOUNCED + 1}) first_ones
    )
    insert into lead_changes (lead_id, what)
      select id, '${what}' from changed, size where size.is_small
      union all select null, 'many' from size where not size.is_small;
    return null;
  end $$;`;

/** The tables of the money view, and which changes to a row it shows. */
const MONEY_CHANGES: { table: string; isShown: string }[] = [
  {
    table: 'subscriptions',
    isShown: `(old.stage, old.second_live_since, old.second_live_reviewed_at)
      is distinct from (new.stage, new.second_live_since, new.second_live_reviewed_at)`,
  },
  { table: 'payer_mismatches', isShown: 'old.* is distinct from new.*' },
  { table: 'checkouts', isShown: 'old.state is distinct from new.state' },
  { table: 'stripe_invoices', isShown: 'old.paid_pence is distinct from new.paid_pence' },
  { table: 'stripe_charges', isShown: 'old.refunded_pence is distinct from new.refunded_pence' },
  {
    table: 'stripe_refunds',
    isShown: 'old.status is distinct from new.status or old.reviewed_at is distinct from new.reviewed_at',
  },
  { table: 'stripe_disputes', isShown: 'old.status is distinct from new.status' },
];
const announceMoney = (table: string, event: 'insert' | 'update' | 'delete', condition = '') =>
  `create trigger ${table}_announced_${event} after ${event} on ${table} for each row ${condition}
     execute function announce('money');`;

/** What open consoles are told about, kept by triggers, so that it holds for rows that anything else wrote. */
async function createChanges(db: Knex): Promise<void> {
  await db.raw(`
    -- Readers of this table remember a snapshot instead of an id: ids are handed out before their transactions commit,
    -- and a change that commits late would be missed.
    create table lead_changes (
      id bigint primary key generated always as identity,
      xid xid8 not null default pg_current_xact_id(),
      lead_id uuid,
      what text not null check (what in ('new', 'changed', 'gone', 'many', 'sync', 'run', 'money')),
      at timestamptz not null default clock_timestamp()
    );
    create index lead_changes_by_transaction on lead_changes (xid);
    create index lead_changes_by_time on lead_changes (at);

    ${announceFunction('announce_new_leads', 'select id from added', 'new')}
    ${announceFunction('announce_gone_leads', 'select id from removed', 'gone')}
    ${announceFunction(
      'announce_changed_leads',
      `select added.id from added join removed using (id) where ${announcedOf('added')} is distinct from ${announcedOf('removed')}`,
      'changed',
    )}
    create trigger leads_announced_insert after insert on leads
      referencing new table as added for each statement execute function announce_new_leads();
    create trigger leads_announced_delete after delete on leads
      referencing old table as removed for each statement execute function announce_gone_leads();
    create trigger leads_announced_update after update on leads
      referencing old table as removed new table as added for each statement execute function announce_changed_leads();

    create function announce() returns trigger language plpgsql as $$
    begin insert into lead_changes (what) values (tg_argv[0]); return null; end $$;
    create trigger leads_announced_truncate after truncate on leads for each statement execute function announce('many');
    create trigger sync_health_announced after update on sync_health for each row
      when (old.paused_since is distinct from new.paused_since or old.missing_fields is distinct from new.missing_fields
        or (old.transient_streak >= 5) <> (new.transient_streak >= 5))
      execute function announce('sync');

    ${MONEY_CHANGES.map(
      ({ table, isShown }) =>
        announceMoney(table, 'insert') +
        announceMoney(table, 'delete') +
        announceMoney(table, 'update', `when (${isShown})`),
    ).join('\n')}
    -- An applied event is announced by what it changed.
    ${announceMoney('stripe_events', 'insert', `when (new.outcome = 'parked')`)}
    ${announceMoney('stripe_events', 'update', `when (old.outcome = 'parked')`)}
  `);
}

async function createRetryRuns(db: Knex): Promise<void> {
  await db.raw(`
    create table retry_runs (
      id uuid primary key,
      operator text not null,
      filter jsonb not null,
      total integer not null default 0,
      started integer not null default 0,
      sent integer not null default 0,
      failed integer not null default 0,
      skipped integer not null default 0,
      returned integer not null default 0,
      created_at timestamptz not null default sync_now(),
      stopped_at timestamptz,
      finished_at timestamptz
    );
    create index retry_runs_newest on retry_runs (created_at desc);
    create index retry_runs_open on retry_runs (created_at) where finished_at is null;
    comment on column retry_runs.started is 'leads that this run moved from failed to pending';
    comment on column retry_runs.returned is 'leads that were moved back to failed because the run was stopped';
    create trigger retry_runs_announced after insert or update on retry_runs for each row execute function announce('run');

    create table retry_run_leads (
      run_id uuid not null references retry_runs on delete cascade,
      lead_id uuid not null references leads on delete cascade,
      state text not null default 'waiting' check (state in ('waiting', 'started', 'done')),
      round integer,
      old_response text,
      old_quarantine text,
      primary key (run_id, lead_id),
      constraint retry_run_leads_started_has_round check (state <> 'started' or round is not null)
    );
    create index retry_run_leads_by_lead on retry_run_leads (lead_id);
    create index retry_run_leads_waiting on retry_run_leads (run_id, lead_id) where state = 'waiting';
    create index retry_run_leads_started on retry_run_leads (run_id) where state = 'started';
  `);
}
