import type { Knex } from 'knex';

/**
 * A text as search compares it: in small letters, without accents, so that "siobhan" finds Siobhán. A decomposed letter is
 * followed by its marks, U+0300 to U+036F.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create function plain_words(text) returns text language sql immutable strict parallel safe
      return regexp_replace(normalize(lower($1), NFD), U&'[\\0300-\\036f]', '', 'g')
  `);
}
