import type { Knex } from 'knex';

/** What the newsletter did not accept, without going through all that it did: for the causes and the last error. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`create index lead_sync_attempts_faults on lead_sync_attempts (started_at) where class <> 'accepted'`);
}
