import type { Knex } from 'knex';
import { query } from '../query.ts';
import { addColumn } from '../migration.ts';

/** Which subscriptions an erased person paid: without an address, each would count as a payer. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'subscriptions', 'erased_payer', 'uuid');
  await query(
    db,
    `comment on column subscriptions.erased_payer is 'of an erased person: random, and the same for all that they paid'`,
  );
}
