import type { Knex } from 'knex';
import { query } from './query.ts';

/** A step of the schema. Runs in a transaction, unless `config` says that it must not. */
export type Migration = {
  name: string;
  up: (db: Knex) => Promise<void>;
  config?: { transaction: boolean };
};

/** What follows an index's name. */
export type Definition = `on ${string}`;

/**
 * Creates a migration that builds one index while rows arrive. It runs outside a transaction, as Postgres demands, and may
 * be repeated: what a cancelled build left behind is dropped first. `definition` is what follows the index's name, as in
 * `on leads (email)`. An index that it `replaces` is dropped last.
 */
export function createIndexMigration(
  name: string,
  definition: Definition,
  replaces?: string,
): Migration {
  const index = name.replace(/^\d+_/, '');
  return {
    name,
    config: { transaction: false },
    async up(db) {
      await query(db, `drop index concurrently if exists ${index}`);
      await query(db, `create index concurrently ${index} ${definition}`);
      if (replaces) await query(db, `drop index concurrently if exists ${replaces}`);
    },
  };
}

/**
 * Adds a column to a table that may be large and in use. `type` may hold a constant default. `check` limits new and changed
 * rows only: Postgres would otherwise read the whole table while every writer waits.
 */
export async function addColumn(
  db: Knex,
  table: string,
  column: string,
  type: string,
  check?: string,
): Promise<void> {
  await query(db, `alter table ${table} add column ${column} ${type}`);
  if (check === undefined) return;
  await query(
    db,
    `alter table ${table} add constraint ${table}_${column}_check check (${check}) not valid`,
  );
}
