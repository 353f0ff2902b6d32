import type { Knex } from 'knex';
import { query } from './query.ts';

/** A step of the schema. Runs in a transaction, unless `config` says that it must not. */
export type Migration = { name: string; up: (db: Knex) => Promise<void>; config?: { transaction: boolean } };

/**
 * Creates a migration that builds one index while rows arrive. It runs outside a transaction, as Postgres demands, and may
 * be repeated: what a cancelled build left behind is dropped first. `definition` is what follows the index's name, as in
 * `on leads (email)`.
 */
export function createIndexMigration(name: string, index: string, definition: `on ${string}`): Migration {
  return {
    name,
    config: { transaction: false },
    async up(db) {
      await query(db, `drop index concurrently if exists ${index}`);
      await query(db, `create index concurrently ${index} ${definition}`);
    },
  };
}
