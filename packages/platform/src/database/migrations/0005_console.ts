import type { Knex } from 'knex';

/** What the operator sees of a lead: a change of anything else is no news. */
const SEEN = [
  'beehiiv_status',
  'beehiiv_response',
  'beehiiv_sent_at',
  'subscriber_status',
  'next_attempt_at',
  'quarantine_reason',
  'full_name',
  'company',
  'phone',
  'message',
  'corrected_from',
];
const rowOf = (table: string) => `(${SEEN.map((column) => `${table}.${column}`).join(', ')})`;

/** A statement that changes more leads than this is told as one change, "many", and not lead by lead. */
const MOST_TOLD = 1_000;

const note = (name: string, changed: string, what: string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    with changed as (${changed}), told as (
      select count(*) <= ${MOST_TOLD} as one_by_one from (select from changed limit ${MOST_TOLD + 1}) first_ones
    )
    insert into lead_changes (lead_id, what)
      select id, '${what}' from changed, told where told.one_by_one
      union all select null, 'many' from told where not told.one_by_one;
    return null;
  end $$;`;

export async function up(db: Knex): Promise<void> {
  await addSearch(db);

  await db.raw(`
    alter table leads add column corrected_from uuid references leads on delete set null;
    create unique index leads_by_correction on leads (corrected_from) where corrected_from is not null;
    comment on column leads.corrected_from is 'the lead whose mistyped address this one puts right';
    create index leads_newest_by_form_and_status on leads (form_type, beehiiv_status, submitted_at desc, id desc);
    -- Cut, since an index takes no text of any length, and a lead must never be refused for one.
    create index leads_newest_by_source on leads (left(utm_source, 64), submitted_at desc, id desc);
    create index leads_newest_by_reader on leads (subscriber_status, submitted_at desc, id desc)
      where subscriber_status is not null;
    create index lead_sync_attempts_by_time on lead_sync_attempts (started_at);

    -- What consoles that are open must hear of. A reader keeps a snapshot instead of a number: numbers are
    -- handed out before their transactions commit, and what commits late would be passed over.
    create table lead_changes (
      id bigint primary key generated always as identity,
      xid xid8 not null default pg_current_xact_id(),
      lead_id uuid,
      what text not null check (what in ('new', 'changed', 'gone', 'many', 'sync', 'run')),
      at timestamptz not null default clock_timestamp()
    );
    create index lead_changes_by_transaction on lead_changes (xid);
    create index lead_changes_by_time on lead_changes (at);

    ${note('note_new_leads', 'select id from added', 'new')}
    ${note('note_gone_leads', 'select id from removed', 'gone')}
    ${note(
      'note_changed_leads',
      `select added.id from added join removed using (id) where ${rowOf('added')} is distinct from ${rowOf('removed')}`,
      'changed',
    )}
    create trigger leads_noted_insert after insert on leads
      referencing new table as added for each statement execute function note_new_leads();
    create trigger leads_noted_delete after delete on leads
      referencing old table as removed for each statement execute function note_gone_leads();
    create trigger leads_noted_update after update on leads
      referencing old table as removed new table as added for each statement execute function note_changed_leads();

    create function note_change() returns trigger language plpgsql as $$
    begin insert into lead_changes (what) values (tg_argv[0]); return null; end $$;
    create trigger leads_noted_truncate after truncate on leads for each statement execute function note_change('many');
    create trigger sync_health_noted after update on sync_health for each row
      when (old.paused_since is distinct from new.paused_since or old.missing_fields is distinct from new.missing_fields
        or (old.transient_streak >= 5) <> (new.transient_streak >= 5))
      execute function note_change('sync');
  `);

  await db.raw(`
    alter table sync_health
      add column refusals_from timestamptz, add column refusals_to timestamptz,
      add column last_outage_from timestamptz, add column last_outage_to timestamptz;
    comment on column sync_health.refusals_from is 'since when the refusals in a row were that made the last such pause';
    alter table sync_gate add column requests_per_minute integer;
    comment on column sync_gate.requests_per_minute is 'the rate that the workers were last told to keep';

    create table retry_runs (
      id uuid primary key,
      operator text not null,
      filter jsonb not null,
      total integer not null default 0,
      begun integer not null default 0,
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
    comment on column retry_runs.begun is 'leads that this run moved from failed to pending';
    create trigger retry_runs_noted after insert or update on retry_runs for each row execute function note_change('run');

    create table retry_run_leads (
      run_id uuid not null references retry_runs on delete cascade,
      lead_id uuid not null references leads on delete cascade,
      state text not null default 'waiting' check (state in ('waiting', 'begun', 'done')),
      round integer,
      old_response text,
      old_quarantine text,
      primary key (run_id, lead_id),
      constraint retry_run_leads_begun_has_round check (state <> 'begun' or round is not null)
    );
    create index retry_run_leads_by_lead on retry_run_leads (lead_id);
    create index retry_run_leads_waiting on retry_run_leads (run_id, lead_id) where state = 'waiting';
    create index retry_run_leads_begun on retry_run_leads (run_id) where state = 'begun';
  `);

  await db.raw(`
    create table operator_actions (
      id bigint primary key generated always as identity,
      at timestamptz not null default now(),
      operator text,
      action text not null check (char_length(action) <= 40),
      subject text check (char_length(subject) <= 200),
      detail jsonb not null default '{}'
    );
    create index operator_actions_by_operator on operator_actions (operator, id);
    comment on table operator_actions is 'append only; ids and counts, and no personal data of those it is about';
    create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '% is append only', tg_table_name; end $$;
    create trigger operator_actions_append_only before update or delete on operator_actions
      for each row execute function refuse_change();

    -- The address is forgotten as soon as the newsletter has forgotten it.
    create table erasures (
      id uuid primary key,
      email_normalised text,
      requested_by text not null,
      requested_at timestamptz not null default sync_now(),
      erased jsonb not null,
      tries integer not null default 0,
      next_try_at timestamptz not null default sync_now(),
      last_message text check (char_length(last_message) <= 1000),
      done_at timestamptz,
      constraint erasures_forget_the_address check ((done_at is null) = (email_normalised is not null))
    );
    create unique index erasures_open on erasures (email_normalised) where done_at is null;
    create index erasures_due on erasures (next_try_at) where done_at is null;
  `);
}

/** Words inside names, addresses and companies are found by an index of their three-letter parts. */
async function addSearch(db: Knex): Promise<void> {
  const { rows } = await db.raw(
    `select exists (select from pg_extension where extname = 'pg_trgm') as is_there,
       exists (select from pg_available_extensions where name = 'pg_trgm') as is_known,
       has_database_privilege(current_database(), 'create') as may_create, current_database() as name`,
  );
  const [found] = rows;
  if (!found.isThere && !(found.isKnown && found.mayCreate)) {
    const why = found.isKnown
      ? 'and this user may not create it: as a superuser run CREATE EXTENSION pg_trgm'
      : 'and this server does not bring it: install the contrib package of its version, then run CREATE EXTENSION pg_trgm';
    throw new Error(
      `The search needs the extension pg_trgm, ${why} in the database "${found.name}", then migrate again`,
    );
  }
  await db.raw(`
    create extension if not exists pg_trgm;
    create index leads_by_words on leads using gin (
      (E'\\n' || email_normalised || E'\\n' || coalesce(lower(full_name), '') || E'\\n' || coalesce(lower(company), '')) gin_trgm_ops
    );
  `);
}
