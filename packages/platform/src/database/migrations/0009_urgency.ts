import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';
import { query } from '../query.ts';

/** How urgent a lead is: a claim takes the most urgent one that is due. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'leads', 'urgency', `text not null default 'new'`, `urgency in ('first', 'new', 'retry')`);
  await query(
    db,
    `comment on column leads.urgency is
     'first: of a payer, or retried alone by hand; new: never tried; retry: tried before, or retried with others'`,
  );
}
