import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** What the accounts need of an invoice. Null until an invoice that 0.2.0 stored has been read again. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'stripe_invoices', 'currency', 'text', `currency ~ '^[a-z]{3}$'`);
  await addColumn(db, 'stripe_invoices', 'net_pence', 'integer');
  await addColumn(db, 'stripe_invoices', 'tax_pence', 'integer');
  await addColumn(db, 'stripe_invoices', 'remaining_pence', 'integer');
  await addColumn(db, 'stripe_invoices', 'country', 'text', 'char_length(country) = 2');
  await db.raw(`
    comment on column stripe_invoices.currency is 'of every amount of the invoice, its charges, refunds and disputes; null: pounds, assumed';
    comment on column stripe_invoices.net_pence is 'total_pence without tax';
    comment on column stripe_invoices.remaining_pence is 'what is left to pay, after balance credit and credit notes';
    comment on column stripe_invoices.country is 'of the billing address, if the customer gave one';
  `);
}
