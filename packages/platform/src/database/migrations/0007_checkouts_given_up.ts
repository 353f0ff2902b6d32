import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  // Whoever gave a checkout up is looked for among all leads, and on every page of them: each question has its index,
  // and the answer stands in it.
  await db.raw(`
    create index checkouts_abandoned on checkouts (begun_at desc) include (lead_id, email_normalised)
      where state = 'abandoned';
    create index checkouts_complete_by_address on checkouts (email_normalised) where state = 'complete';
  `);
}
