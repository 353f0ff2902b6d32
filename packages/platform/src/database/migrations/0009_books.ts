import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** What Stripe's events wait for, what operators have reviewed, and what the accounts and the months need. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'stripe_watch', 'missing_permission', 'text', 'char_length(missing_permission) <= 200');
  await addColumn(db, 'stripe_watch', 'permission_missing_since', 'timestamptz');
  // Events whose signature was wrong: STRIPE_WEBHOOK_SECRET may be another endpoint's.
  await addColumn(db, 'stripe_watch', 'signatures_refused', 'integer not null default 0');
  await addColumn(db, 'stripe_watch', 'signatures_refused_since', 'timestamptz');
  await addColumn(db, 'stripe_watch', 'signature_refused_at', 'timestamptz');
  await addColumn(db, 'stripe_events', 'missing_permission', 'text', 'char_length(missing_permission) <= 200');
  await addColumn(db, 'stripe_events', 'object_id', 'text', 'char_length(object_id) <= 255');
  await addColumn(db, 'subscriptions', 'customer_email', 'text', 'char_length(customer_email) <= 512');
  await addColumn(db, 'subscriptions', 'reviewed_causes', `text[] not null default '{}'`);
  // Without an address, each subscription of an erased person would count as a payer.
  await addColumn(db, 'subscriptions', 'erased_payer', 'uuid');
  // Null until an invoice that 0.2.0 stored has been read again.
  await addColumn(db, 'stripe_invoices', 'currency', 'text', `currency ~ '^[a-z]{3}$'`);
  await addColumn(db, 'stripe_invoices', 'net_pence', 'integer');
  await addColumn(db, 'stripe_invoices', 'tax_pence', 'integer');
  await addColumn(db, 'stripe_invoices', 'remaining_pence', 'integer');
  await addColumn(db, 'stripe_invoices', 'country', 'text', 'char_length(country) = 2');
  // When something turned out otherwise: figures of the months before stay as they were.
  await addColumn(db, 'stripe_invoices', 'first_failed_at', 'timestamptz');
  await addColumn(db, 'stripe_refunds', 'failed_at', 'timestamptz');
  await addColumn(db, 'stripe_disputes', 'lost_at', 'timestamptz');
  await addColumn(db, 'stripe_disputes', 'won_at', 'timestamptz');
  await addColumn(db, 'checkouts', 'plan', 'text', `plan in ('monthly', 'annual')`);
  await addColumn(db, 'checkouts', 'amount_pence', 'integer');
  await addColumn(db, 'checkouts', 'contacted_at', 'timestamptz');
  await db.raw(`
    -- Empty until an address differs, and the table is small: it is read in a moment.
    create index subscriptions_changed on subscriptions (stripe_subscription_id)
      where lower(customer_email) <> email_normalised;
    create table money_nights (
      day date primary key,
      mrr_pence bigint,
      payers integer not null,
      new_payers integer not null,
      trials integer not null,
      churned integer not null,
      on_list integer,
      list_joined integer,
      list_left integer,
      by_plan jsonb not null,
      by_channel jsonb not null
    );
    comment on table money_nights is 'how subscriptions and the list stood at the end of each London day; new_payers, churned, list_joined and list_left are since the row before';
    comment on column money_nights.mrr_pence is 'null: a price of that day is not known';
    comment on column money_nights.on_list is 'null: the day was before the first night that was recorded';
    comment on column stripe_watch.missing_permission is 'what the key may not do: list events';
    comment on column stripe_events.missing_permission is 'of a parked event: what the Stripe key may not do';
    comment on column stripe_events.object_id is 'of a parked event: what it is about, if that could be read';
    comment on column stripe_events.raw_body is 'for 0.2.0, which retries from it: only the ids of a parked event';
    comment on column subscriptions.customer_email is 'the customer''s address at Stripe, as last read';
    comment on column subscriptions.reviewed_causes is
      'lost disputes, refunded charges and unpaid invoices after which an operator let the subscription go on';
    comment on column subscriptions.erased_payer is 'of an erased person: random, and the same for all that they paid';
    comment on column stripe_invoices.currency is 'of every amount of the invoice, its charges, refunds and disputes; null: pounds, assumed';
    comment on column stripe_invoices.net_pence is 'total_pence without tax';
    comment on column stripe_invoices.remaining_pence is 'what is left to pay, after balance credit and credit notes';
    comment on column stripe_invoices.country is 'of the billing address, if the customer gave one';
    comment on column stripe_invoices.first_failed_at is 'when it was first read as tried and not paid';
    comment on column stripe_refunds.failed_at is 'when it was first read as failed or canceled';
    comment on column stripe_disputes.lost_at is 'when it was first read as lost';
    comment on column stripe_disputes.won_at is 'when one that was lost was first read as won';
    comment on column checkouts.amount_pence is 'the price of a period, with its discount; null: not known';
  `);
}
