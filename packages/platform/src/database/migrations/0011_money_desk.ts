import type { Knex } from 'knex';

/** Tables of the money desk, and which change of a row is news to whoever looks at it. */
const SEEN: { table: string; change: string }[] = [
  {
    table: 'subscriptions',
    change: `(old.stage, old.second_live_since, old.second_live_reviewed_at)
      is distinct from (new.stage, new.second_live_since, new.second_live_reviewed_at)`,
  },
  { table: 'payer_mismatches', change: 'old.* is distinct from new.*' },
  { table: 'checkouts', change: 'old.state is distinct from new.state' },
  { table: 'stripe_invoices', change: 'old.paid_pence is distinct from new.paid_pence' },
  { table: 'stripe_charges', change: 'old.refunded_pence is distinct from new.refunded_pence' },
  { table: 'stripe_disputes', change: 'old.status is distinct from new.status' },
];

const noteMoney = (table: string, when: string) =>
  `create trigger ${table}_noted_${when.split(' ')[0]} after ${when} execute function note_change('money');`;

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- In the order in which a delivery takes them, or the two could wait for each other.
    alter table stripe_events add column reviewed_at timestamptz;
    comment on column stripe_events.reviewed_at is 'somebody looked at the parked event';
    alter table subscriptions add column second_live_reviewed_at timestamptz;
    comment on column subscriptions.second_live_reviewed_at is 'somebody looked at it; forgotten whenever second_live_since changes';

    -- Of somebody who was erased Stripe goes on telling what was paid and given back, and nobody's address stands beside it.
    alter table subscriptions alter column email drop not null, alter column email_normalised drop not null;
    create table erased_ids (
      id text primary key check (char_length(id) <= 255),
      erased_at timestamptz not null default now()
    );
    comment on table erased_ids is 'what belonged to somebody who was erased, ours and Stripe''s: what is told of it later is kept without the person';
  `);

  await db.raw(`
    ${SEEN.map(
      ({ table, change }) =>
        noteMoney(table, `insert on ${table} for each row`) +
        noteMoney(table, `delete on ${table} for each row`) +
        noteMoney(table, `update on ${table} for each row when (${change})`),
    ).join('\n')}
    -- An event that could be applied tells of itself by what it changed.
    ${noteMoney('stripe_events', `insert on stripe_events for each row when (new.outcome = 'parked')`)}
    ${noteMoney('stripe_events', `update on stripe_events for each row when (old.outcome = 'parked')`)}
    alter table lead_changes drop constraint lead_changes_what_check;
    alter table lead_changes add constraint lead_changes_what_check
      check (what in ('new', 'changed', 'gone', 'many', 'sync', 'run', 'money'));
  `);
}
