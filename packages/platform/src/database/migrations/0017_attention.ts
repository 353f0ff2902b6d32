import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** What a Stripe event waits for, and what an operator has reviewed of a subscription. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'stripe_events', 'missing_permission', 'text', 'char_length(missing_permission) <= 200');
  await addColumn(db, 'subscriptions', 'customer_email', 'text', 'char_length(customer_email) <= 512');
  await addColumn(db, 'subscriptions', 'reviewed_causes', `text[] not null default '{}'`);
  await db.raw(`
    -- Empty until an address differs, and the table is small: it is read in a moment.
    create index subscriptions_changed on subscriptions (stripe_subscription_id)
      where lower(customer_email) <> email_normalised;
    comment on column stripe_events.missing_permission is 'of a parked event: what the Stripe key may not do';
    comment on column subscriptions.customer_email is 'the customer''s address at Stripe, as last read';
    comment on column subscriptions.reviewed_causes is
      'lost disputes, refunded charges and unpaid invoices after which an operator let the subscription go on';
  `);
}
