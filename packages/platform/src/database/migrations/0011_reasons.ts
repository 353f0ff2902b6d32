import type { Knex } from 'knex';
import { addColumn } from '../migration.ts';

/**
 * Why Beehiiv's last answer was what it was, as a word of `packages/schema/src/beehiiv-answers.ts`. The checks do not name
 * the words: an outcome must be recorded whichever release runs.
 */
export async function up(db: Knex): Promise<void> {
  const columns = {
    leads: 'beehiiv_reason',
    lead_sync_attempts: 'reason',
    erasures: 'reason',
    unsubscribe_requests: 'reason',
  };
  for (const [table, column] of Object.entries(columns)) {
    await addColumn(db, table, column, 'text', `${column} ~ '^[a-z-]{1,40}$'`);
  }
  await db.raw(`
    comment on column leads.beehiiv_reason is 'of the last answer, as beehiiv_response is its text';
    create or replace function touch_updated_at() returns trigger language plpgsql as $$
    begin
      -- A backfill changes nothing that anybody did.
      if current_setting('site.is_backfill', true) = 'true' then return new; end if;
      new.updated_at := now(); return new;
    end $$;
  `);
}
