import type { Knex } from 'knex';

/** Addresses that are being changed at Stripe, and the lease of the nightly reading. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Customers whose address at Stripe may not be the stored one: it was, or is being, changed there first.
    create table customer_corrections (
      stripe_customer_id text primary key,
      leased_by uuid not null,
      leased_until timestamptz not null
    );
    comment on column customer_corrections.leased_until is 'until then one process changes the address at Stripe; afterwards Stripe gets the stored one';

    alter table stripe_watch add column subscriptions_leased_until timestamptz not null default '-infinity';
    comment on column stripe_watch.subscriptions_leased_until is 'until then one process reads the live subscriptions';
  `);
}
