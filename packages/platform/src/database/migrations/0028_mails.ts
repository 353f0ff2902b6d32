import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** Emails to the owner, and what of an open alert the owner has been sent. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table mails (
      id uuid primary key,
      kind text not null check (kind in ('attention', 'security', 'weekly')),
      once text unique,
      subject text not null,
      html text not null,
      plain text not null,
      people text[] not null default '{}',
      created_at timestamptz not null default sync_now(),
      due_at timestamptz not null default sync_now(),
      attempts integer not null default 0,
      claimed_until timestamptz not null default '-infinity',
      sent_at timestamptz,
      given_up_at timestamptz
    );
    create index mails_due on mails (due_at) where sent_at is null and given_up_at is null;
    create index mails_by_time on mails (created_at);
    create index mails_sent on mails (sent_at);
    create index mails_by_person on mails using gin (people);
    comment on column mails.once is 'what it is about, if it is sent only once';
    comment on column mails.people is 'the normalised addresses of those whom it names: an erasure removes it';
    comment on column mails.claimed_until is 'until when one process is sending it';
  `);
  await addColumn(db, 'sync_alerts', 'mailed_items', `text[] not null default '{}'`);
  await db.raw(`comment on column sync_alerts.mailed_items is 'what of it was in an email'`);
}
