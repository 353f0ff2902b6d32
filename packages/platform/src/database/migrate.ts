import type { Database } from './connect.ts';
import * as leads from './migrations/0001_leads.ts';
import * as sync from './migrations/0002_sync.ts';
import * as money from './migrations/0003_money.ts';
import * as operatorConsole from './migrations/0004_console.ts';
import * as privacy from './migrations/0005_privacy.ts';

// Listed, not found by scanning a folder: a migration must have the same name when run from source and from a build.
const MIGRATIONS = [
  { name: '0001_leads', up: leads.up },
  { name: '0002_sync', up: sync.up },
  { name: '0003_money', up: money.up },
  { name: '0004_console', up: operatorConsole.up },
  { name: '0005_privacy', up: privacy.up },
];

const migrationSource = {
  getMigrations: () => Promise.resolve(MIGRATIONS),
  getMigrationName: (migration: (typeof MIGRATIONS)[number]) => migration.name,
  getMigration: (migration: (typeof MIGRATIONS)[number]) =>
    Promise.resolve({ up: migration.up, down: () => Promise.reject(new Error('Migrations only go forward')) }),
};

// A database may be ahead of this build: while replicas are replaced one by one, and after going back a release.
const options = { migrationSource, disableMigrationsListValidation: true };

/** Applies what is missing, each migration in its own transaction, and returns their names. Safe to run twice, and from two machines at once. */
export async function migrateDatabase(db: Database): Promise<string[]> {
  return db.transaction(async (trx) => {
    // Knex' own lock fails a second runner; this one makes it wait, and then find nothing to do.
    await trx.raw(`select pg_advisory_xact_lock(hashtext('migrate'))`);
    const [, applied] = (await db.migrate.latest(options)) as [number, string[]];
    return applied;
  });
}

/** Names of migrations this build knows and the database has not seen. */
export async function findMissingMigrations(db: Database): Promise<string[]> {
  const [, pending] = (await db.migrate.list(options)) as [unknown, { name: string }[]];
  return pending.map((migration) => migration.name);
}
