import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/** Events whose signature was wrong: STRIPE_WEBHOOK_SECRET may be another endpoint's. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'stripe_watch', 'signatures_refused', 'integer not null default 0');
  await addColumn(db, 'stripe_watch', 'signatures_refused_since', 'timestamptz');
  await addColumn(db, 'stripe_watch', 'signature_refused_at', 'timestamptz');
}
