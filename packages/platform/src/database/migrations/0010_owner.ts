import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** Emails to the owner, notes, what operators and strangers leave on record, and the age of the last backup. */
export async function up(db: Knex): Promise<void> {
  // Which marks of an operator's browsers count: each names the number that this was when it was issued.
  await addColumn(db, 'users', 'browser_epoch', 'integer not null default 0');
  await addColumn(db, 'login_failures', 'is_counted', 'boolean not null default true');
  await addColumn(db, 'login_failures', 'browser', 'text');
  await db.raw(`
    create index login_failures_by_time on login_failures (at);
    create table operator_readings (
      operator text not null,
      hour timestamptz not null,
      listed text not null,
      rows bigint not null,
      primary key (operator, hour, listed)
    );
    create table notes (
      id uuid primary key,
      email_normalised text not null check (char_length(email_normalised) <= 254),
      text text not null check (char_length(text) between 1 and 2000),
      operator text not null,
      created_at timestamptz not null default now()
    );
    create index notes_by_address on notes (email_normalised, created_at desc);
    create index notes_by_words on notes using gin (lower(text) gin_trgm_ops);
    -- Version 0.2.0 erases without knowing of notes.
    create function erase_notes() returns trigger language plpgsql as $$
    begin
      delete from notes where email_normalised = new.email_normalised;
      return null;
    end $$;
    create trigger erasures_take_notes after insert on erasures for each row execute function erase_notes();
    create table mails (
      id uuid primary key default gen_random_uuid(),
      kind text not null check (kind in ('attention', 'security', 'weekly')),
      once text unique,
      body jsonb,
      people text[] not null default '{}',
      created_at timestamptz not null default sync_now(),
      due_at timestamptz not null default sync_now(),
      attempts integer not null default 0,
      claimed_until timestamptz not null default '-infinity',
      sent_at timestamptz,
      given_up_at timestamptz
    );
    create table mailed_attention (item text primary key check (char_length(item) <= 600));
    create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;
    create index mails_by_time on mails (created_at);
    create index mails_sent on mails (sent_at);
    create index mails_by_person on mails using gin (people);
    -- One row: deploy/backup-off-site.sh writes the time of each dump that was restored on trial and uploaded.
    create table last_backup (
      id boolean primary key default true check (id),
      taken_at timestamptz
    );
    insert into last_backup default values;
    comment on table login_failures is 'failed and refused logins; the retention deletes old ones';
    comment on column login_failures.is_counted is 'whether it counts towards the limit: not a refusal, and not before a reset';
    comment on table operator_readings is 'of the current hour; then they become operator_actions';
    comment on column mails.once is 'what it is about, if it is sent only once';
    comment on column mails.people is 'the normalised addresses of those whom it names: an erasure takes them out';
    comment on column mails.body is 'until it is sent';
    comment on column mails.claimed_until is 'until when one process is sending it';
    comment on table mailed_attention is 'what needs attention and was in an email';
  `);
}
