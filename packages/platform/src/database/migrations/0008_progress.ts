import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** How urgent leads are, why they failed, what the newsletter says of each person, and how the sync was and is. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'worker_presence', 'since', 'timestamptz not null default now()');
  await addColumn(db, 'worker_presence', 'restarted_at', 'timestamptz');
  // A comparison that did not end well is tried again, and one that never does is reported.
  await addColumn(db, 'comparison', 'skipped', 'integer not null default 0');
  await addColumn(db, 'comparison', 'retry_at', 'timestamptz');
  await addColumn(db, 'comparison', 'watched_since', 'timestamptz not null default now()');
  // What the workers last found of Beehiiv's key and publication, for those who do not hold the key.
  await addColumn(db, 'sync_health', 'beehiiv_answer', 'text');
  await addColumn(db, 'sync_health', 'beehiiv_checked_at', 'timestamptz');
  await addColumn(db, 'sync_health', 'beehiiv_check_asked_at', 'timestamptz');
  await addColumn(db, 'subscriber_tiers', 'not_receiving_since', 'timestamptz');
  await db.raw(`
    create table subscribers (
      email_normalised text primary key,
      subscriber_id text,
      status text not null,
      status_since timestamptz not null,
      learned_at timestamptz not null,
      check_due_at timestamptz
    );
    create index subscribers_to_check on subscribers (check_due_at) where check_due_at is not null;
    create table outages (
      since timestamptz not null,
      kind text not null check (kind in ('no-worker', 'paused', 'outage', 'stalled')),
      until timestamptz not null,
      waited integer not null,
      primary key (since, kind)
    );
    comment on column worker_presence.since is 'the first of the times without a gap that end at seen_at';
    comment on column worker_presence.restarted_at is 'when a worker last ended because nothing moved';
    comment on column comparison.skipped is 'subscribers that it could not read';
    comment on column comparison.retry_at is 'after a fault: when the next one is due';
    comment on column comparison.watched_since is 'before the first one has finished: since when one should have';
    comment on column sync_health.beehiiv_answer is 'the reason, as attempts keep it; accepted: key and publication work';
    comment on column sync_health.beehiiv_check_asked_at is 'an operator wants to know now';
    comment on column subscriber_tiers.not_receiving_since is
      'the newsletter does not know the address of this premium tier: it is set again when the address has been added';
    comment on column subscribers.status_since is
      'when the status was first learned: somebody inactive has left by then, and only a newer consent may resubscribe them';
    comment on column subscribers.learned_at is 'when the newsletter was last asked';
    comment on column subscribers.check_due_at is 'of a status that may soon change: when to ask again';
    comment on table outages is 'the times in which no lead was sent: each alert of such a kind that has ended';
    comment on column outages.waited is 'leads that were pending in that time, as far as it is known';
    create or replace function touch_updated_at() returns trigger language plpgsql as $$
    begin
      -- A backfill changes nothing that anybody did.
      if current_setting('site.is_backfill', true) = 'true' then return new; end if;
      new.updated_at := now(); return new;
    end $$;
  `);
  // As a word of `packages/schema/src/beehiiv-answers.ts`, without a list: an outcome must be recorded whichever release runs.
  const isReason = (column: string) => `${column} ~ '^[a-z-]{1,40}$'`;
  for (const table of ['lead_sync_attempts', 'erasures', 'unsubscribe_requests']) {
    await addColumn(db, table, 'reason', 'text', isReason('reason'));
  }
  // Last, so that no submission waits while another table is locked.
  await addColumn(db, 'leads', 'beehiiv_reason', 'text', isReason('beehiiv_reason'));
  await addColumn(db, 'leads', 'consent_due_at', 'timestamptz');
  await addColumn(db, 'leads', 'urgency', `text not null default 'new'`, `urgency in ('first', 'new', 'retry')`);
  await db.raw(`
    comment on column leads.beehiiv_reason is 'of the last answer, as beehiiv_response is its text';
    comment on column leads.consent_due_at is 'a repeat gave consent after the lead was sent: when to tell the newsletter';
    comment on column leads.urgency is
      'first: of a payer, or retried alone by hand; new: never tried; retry: tried before, or retried with others';
  `);
}
