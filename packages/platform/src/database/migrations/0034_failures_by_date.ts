import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** When a payment, a refund or a dispute turned out otherwise: figures of the months before stay as they were. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'stripe_invoices', 'first_failed_at', 'timestamptz');
  await addColumn(db, 'stripe_refunds', 'failed_at', 'timestamptz');
  await addColumn(db, 'stripe_disputes', 'lost_at', 'timestamptz');
  await db.raw(`
    comment on column stripe_invoices.first_failed_at is 'when it was first read as tried and not paid';
    comment on column stripe_refunds.failed_at is 'when it was first read as failed or canceled';
    comment on column stripe_disputes.lost_at is 'when it was first read as lost';
  `);
}
