import type { Knex } from 'knex';

const textColumns = (columns: string[], maxChars: number) =>
  columns.map((column) => `${column} text check (char_length(${column}) <= ${maxChars}),`).join('\n');

const CAMPAIGN_PARTS = ['source', 'medium', 'campaign', 'term', 'content'];
const ATTRIBUTION_COLUMNS = [
  ...['utm', 'visit_utm', 'first_utm'].flatMap((visit) => CAMPAIGN_PARTS.map((part) => `${visit}_${part}`)),
  'gclid',
  'fbclid',
  'ttclid',
  'landing_page',
  'first_page',
  'referrer',
  'session_id',
  'ga_client_id',
  'consent_page',
];

/** Leads, what belongs to a submission, and the counters that the database keeps. */
export async function up(db: Knex): Promise<void> {
  await createLeads(db);
  await guardStatus(db);
  await createSubmissionTables(db);
  await createCounters(db);
}

async function createLeads(db: Knex): Promise<void> {
  await db.raw(`
    -- The clock of the sync. Leases, slots and due times are compared on the database's clock, so that machines whose
    -- clocks differ still agree. Tests replace this function to move time.
    create function sync_now() returns timestamptz language sql stable as 'select clock_timestamp()';

    create table leads (
      id uuid primary key,
      email text not null check (char_length(email) between 3 and 254),
      email_normalised text not null generated always as (lower(email)) stored,
      form_type text not null check (form_type in ('pre_sample', 'pre_buy')),
      ${textColumns(['full_name', 'company'], 200)}
      ${textColumns(['phone', 'consent_text_version'], 40)}
      ${textColumns(['message'], 5000)}
      ${textColumns(ATTRIBUTION_COLUMNS, 2048)}
      submitted_at timestamptz not null default now(),
      consent_marketing boolean not null default false,
      consent_timestamp timestamptz,
      ${textColumns(['user_agent'], 2048)}
      ${textColumns(['ip_address'], 64)}
      ${textColumns(['device_type'], 40)}
      ${textColumns(['country', 'region', 'city'], 200)}
      ${textColumns(['trace_id'], 64)}
      quarantine_reason text check (char_length(quarantine_reason) <= 200),
      corrected_from uuid references leads on delete set null,

      beehiiv_status text not null default 'pending' check (beehiiv_status in ('pending', 'sent', 'failed')),
      beehiiv_response text check (octet_length(beehiiv_response) <= 4096),
      beehiiv_sent_at timestamptz,
      subscriber_id text,
      subscriber_status text,
      subscriber_checked_at timestamptz,
      subscriber_check_due_at timestamptz,

      sync_round integer not null default 1 check (sync_round >= 1),
      sync_attempts integer not null default 0 check (sync_attempts >= 0),
      round_started_at timestamptz not null default now(),
      next_attempt_at timestamptz default sync_now(),
      outcome_unknown boolean not null default false,

      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    comment on column leads.trace_id is 'the id of the request that brought the lead, which every log line about it has';
    comment on column leads.corrected_from is 'the lead whose mistyped address this one corrects';
    comment on column leads.next_attempt_at is 'null while pending: when the newsletter accepts additions again';
    comment on column leads.sync_attempts is 'attempts of this round that spend its budget';
    comment on column leads.outcome_unknown is 'a request left and its answer was never recorded: look the address up first';

    create index leads_newest on leads (submitted_at desc, id desc);
    create index leads_newest_by_form on leads (form_type, submitted_at desc, id desc);
    create index leads_newest_by_status on leads (beehiiv_status, submitted_at desc, id desc);
    create index leads_newest_by_form_and_status on leads (form_type, beehiiv_status, submitted_at desc, id desc);
    -- Shortened: an index entry has a size limit, and a lead must never be refused because of a long source.
    create index leads_newest_by_source on leads (left(utm_source, 64), submitted_at desc, id desc);
    create index leads_newest_by_subscriber on leads (subscriber_status, submitted_at desc, id desc)
      where subscriber_status is not null;
    create index leads_quarantined on leads (submitted_at desc, id desc) include (form_type, beehiiv_status)
      where quarantine_reason is not null;
    create index leads_by_trace on leads (trace_id);
    create index leads_corrected on leads (submitted_at desc, id desc) include (form_type)
      where coalesce(beehiiv_response, '') like 'corrected:%';
    create index leads_by_address on leads (email_normalised, form_type, submitted_at desc);
    create unique index leads_by_correction on leads (corrected_from) where corrected_from is not null;
    create index leads_due on leads (next_attempt_at) where beehiiv_status = 'pending';
    create index leads_to_refresh on leads (subscriber_check_due_at)
      where subscriber_status in ('validating', 'pending', 'needs_attention');

    create function touch_updated_at() returns trigger language plpgsql as $$
    begin new.updated_at := now(); return new; end $$;
    create trigger leads_touch before update on leads for each row execute function touch_updated_at();
  `);
}

/** Makes the database reject every change of a lead's status that is not a legal transition. */
async function guardStatus(db: Knex): Promise<void> {
  await db.raw(`
    create function guard_lead_status() returns trigger language plpgsql as $$
    begin
      if old.beehiiv_status = 'pending' and new.sync_round = old.sync_round
         and (new.beehiiv_status = 'failed' or (new.beehiiv_status = 'sent' and exists (
           select from lead_sync_attempts where lead_id = old.id and round = old.sync_round
         ))) then
        return new;
      end if;
      if old.beehiiv_status = 'failed' and new.beehiiv_status = 'pending' and new.sync_round = old.sync_round + 1 then
        return new;
      end if;
      raise exception 'a lead cannot go from % (round %) to % (round %)',
        old.beehiiv_status, old.sync_round, new.beehiiv_status, new.sync_round
        using errcode = 'check_violation', constraint = 'leads_legal_transition';
    end $$;
    create trigger leads_legal_transition before update on leads for each row
      when (old.beehiiv_status is distinct from new.beehiiv_status) execute function guard_lead_status();
  `);
}

async function createSubmissionTables(db: Knex): Promise<void> {
  await db.raw(`
    -- Two submissions with the same key are one lead until the key ends: the same Idempotency-Key and address, or the
    -- same address and form within ten minutes.
    create table lead_repeats (
      email_normalised text not null,
      scope text not null check (char_length(scope) <= 300),
      lead_id uuid not null references leads on delete cascade deferrable initially deferred,
      until timestamptz not null,
      primary key (email_normalised, scope)
    );
    create index lead_repeats_by_end on lead_repeats (until);
    create index lead_repeats_by_lead on lead_repeats (lead_id);

    create table sample_requests (
      id uuid primary key,
      email text not null,
      name text,
      company text,
      lead_id uuid references leads on delete set null,
      created_at timestamptz not null default now()
    );
    create index sample_requests_by_address on sample_requests (lower(email));
    create index sample_requests_by_lead on sample_requests (lead_id);

    create table tracked_events (
      id bigint primary key generated always as identity,
      event text not null,
      page text not null,
      created_at timestamptz not null default now()
    );
    create index tracked_events_by_time on tracked_events (created_at);
  `);
}

const COUNTED = 'day, form_type, beehiiv_status';
const counted = (rows: string, delta: number) =>
  `select (submitted_at at time zone 'Europe/London')::date as day, form_type, beehiiv_status, ${delta} as delta from ${rows}`;

/** A trigger function that adds to the counters what a statement changed. */
const countFunction = (name: string, changes: string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    insert into lead_counts (${COUNTED}, shard, leads)
      select ${COUNTED}, (select free_count_shard()), sum(delta) from (${changes}) changes
      group by ${COUNTED} having sum(delta) <> 0
    on conflict (${COUNTED}, shard) do update set leads = lead_counts.leads + excluded.leads;
    return null;
  end $$;`;

/** The console's four counters. Triggers keep them in the writer's transaction, so they are exact for every writer. */
async function createCounters(db: Knex): Promise<void> {
  await db.raw(`
    create table lead_counts (
      day date not null,
      form_type text not null,
      beehiiv_status text not null,
      shard smallint not null,
      leads bigint not null,
      primary key (day, form_type, beehiiv_status, shard)
    );
    comment on column lead_counts.day is 'in Europe/London';

    -- Locks a shard that no other open transaction writes to. Writers therefore never wait for each other's counters,
    -- in whatever order they write the days, and so cannot deadlock.
    create function free_count_shard() returns smallint language plpgsql as $$
    declare free smallint := 0;
    begin
      while not pg_try_advisory_xact_lock(hashtext('lead_counts'), free) loop free := free + 1; end loop;
      return free;
    end $$;

    ${countFunction('count_inserted_leads', counted('added', 1))}
    ${countFunction('count_deleted_leads', counted('removed', -1))}
    ${countFunction('count_updated_leads', `${counted('added', 1)} union all ${counted('removed', -1)}`)}
    create function count_no_leads() returns trigger language plpgsql as $$
    begin delete from lead_counts; return null; end $$;

    create trigger leads_counted_insert after insert on leads
      referencing new table as added for each statement execute function count_inserted_leads();
    create trigger leads_counted_delete after delete on leads
      referencing old table as removed for each statement execute function count_deleted_leads();
    create trigger leads_counted_update after update on leads
      referencing old table as removed new table as added for each statement execute function count_updated_leads();
    create trigger leads_counted_truncate after truncate on leads
      for each statement execute function count_no_leads();
  `);
}
