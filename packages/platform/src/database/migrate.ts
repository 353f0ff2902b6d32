import type { Database } from './connect.ts';
import type { Migration } from './index-migration.ts';
import { query } from './query.ts';
import * as leads from './migrations/0001_leads.ts';
import * as sync from './migrations/0002_sync.ts';
import * as money from './migrations/0003_money.ts';
import * as operatorConsole from './migrations/0004_console.ts';
import * as privacy from './migrations/0005_privacy.ts';
import * as stripeAddress from './migrations/0006_stripe_address.ts';
import * as searchStatistics from './migrations/0007_search_statistics.ts';

// Listed by name: found by scanning a folder, a migration would have one name in source and another in a build.
const MIGRATIONS: Migration[] = [
  { name: '0001_leads', up: leads.up },
  { name: '0002_sync', up: sync.up },
  { name: '0003_money', up: money.up },
  { name: '0004_console', up: operatorConsole.up },
  { name: '0005_privacy', up: privacy.up },
  { name: '0006_stripe_address', up: stripeAddress.up },
  { name: '0007_search_statistics', up: searchStatistics.up },
];

const toOptions = (migrations: Migration[]) => ({
  migrationSource: {
    getMigrations: () => Promise.resolve(migrations),
    getMigrationName: ({ name }: Migration) => name,
    getMigration: ({ up, config }: Migration) =>
      Promise.resolve({
        up,
        ...(config && { config }),
        down: () => Promise.reject(new Error('Migrations only go forward')),
      }),
  },
  // The database may be ahead of this build: during a rolling update, or after going back a release.
  disableMigrationsListValidation: true,
});

/**
 * Applies the missing migrations and returns their names. Safe to run twice, and from two machines at once. `later` follow
 * those of this build.
 */
export async function migrateDatabase(db: Database, later: Migration[] = []): Promise<string[]> {
  return db.transaction(async (trx) => {
    // Only holds the lock while another connection migrates, however long that takes.
    await query(trx, 'set local idle_in_transaction_session_timeout = 0');
    // With knex's own lock a second runner would fail. With this one it waits, and then has nothing to do.
    await query(trx, `select pg_advisory_xact_lock(hashtext('migrate'))`);
    const [, applied] = (await db.migrate.latest(toOptions([...MIGRATIONS, ...later]))) as [number, string[]];
    return applied;
  });
}

/** Names the migrations of this build that the database lacks. */
export async function findMissingMigrations(db: Database): Promise<string[]> {
  const [, pending] = (await db.migrate.list(toOptions(MIGRATIONS))) as [unknown, { name: string }[]];
  return pending.map((migration) => migration.name);
}
