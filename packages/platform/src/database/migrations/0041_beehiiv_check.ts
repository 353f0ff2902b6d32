import type { Knex } from 'knex';
import { query } from '../query.ts';
import { addColumn } from '../migration.ts';

/** What the workers last found of Beehiiv's key and publication, for those who do not hold the key. */
export async function up(db: Knex): Promise<void> {
  await addColumn(db, 'sync_health', 'beehiiv_answer', 'text');
  await addColumn(db, 'sync_health', 'beehiiv_checked_at', 'timestamptz');
  await addColumn(db, 'sync_health', 'beehiiv_check_asked_at', 'timestamptz');
  await query(
    db,
    `comment on column sync_health.beehiiv_answer is 'the reason, as attempts keep it; accepted: key and publication work'`,
  );
  await query(db, `comment on column sync_health.beehiiv_check_asked_at is 'an operator wants to know now'`);
}
