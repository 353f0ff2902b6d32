import type { Knex } from 'knex';

/** Emails to the owner, and what needs attention and was in one. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
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
    comment on column mails.once is 'what it is about, if it is sent only once';
    comment on column mails.people is 'the normalised addresses of those whom it names: an erasure takes them out';
    comment on column mails.body is 'until it is sent';
    comment on table mailed_attention is 'what needs attention and was in an email';
    comment on column mails.claimed_until is 'until when one process is sending it';
  `);
}
