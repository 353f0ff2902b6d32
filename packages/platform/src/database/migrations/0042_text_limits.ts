import type { Knex } from 'knex';
import { queryOne } from '../query.ts';

/** Texts of a lead are cut to the limits of their declarations, and Postgres no longer counts their letters: decision 0052. */
export async function up(db: Knex): Promise<void> {
  const { limits } = await queryOne<{ limits: string }>(
    db,
    `select string_agg(format('drop constraint %I', conname), ', ') as limits from pg_constraint
     where conrelid = 'leads'::regclass and pg_get_constraintdef(oid) ~ '^CHECK \\(\\(char_length\\(\\w+\\) <= \\d+\\)\\)'`,
  );
  await db.raw(`alter table leads ${limits}`);
}
