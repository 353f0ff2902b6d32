import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** What the newsletter says of each person, once. Leads keep a copy of the status, because the console filters by it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table subscribers (
      email_normalised text primary key,
      subscriber_id text,
      status text not null,
      status_since timestamptz not null,
      learned_at timestamptz not null,
      check_due_at timestamptz
    );
    comment on column subscribers.status_since is
      'when the status was first learned: somebody inactive has left by then, and only a newer consent may resubscribe them';
    comment on column subscribers.learned_at is 'when the newsletter was last asked';
    comment on column subscribers.check_due_at is 'of a status that may soon change: when to ask again';
    create index subscribers_to_check on subscribers (check_due_at) where check_due_at is not null;
  `);
  await addColumn(db, 'subscriber_tiers', 'not_receiving_since', 'timestamptz');
  await addColumn(db, 'leads', 'consent_due_at', 'timestamptz');
  await db.raw(`
    comment on column leads.consent_due_at is
      'a repeat gave consent after the lead was sent: when to tell the newsletter';
    comment on column subscriber_tiers.not_receiving_since is
      'the newsletter does not know the address of this premium tier: it is set again when the address has been added';
  `);
}
