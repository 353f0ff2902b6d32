import type { Database } from './connect.ts';
import * as leads from './migrations/0001_leads.ts';
import * as leadCounts from './migrations/0002_lead_counts.ts';
import * as operators from './migrations/0003_operators.ts';
import * as money from './migrations/0004_money.ts';
import * as operatorConsole from './migrations/0005_console.ts';
import * as subscriptionLife from './migrations/0006_subscription_life.ts';
import * as checkoutsGivenUp from './migrations/0007_checkouts_given_up.ts';
import * as syncAfterOutages from './migrations/0008_sync_after_outages.ts';
import * as checkoutsTakenUpAgain from './migrations/0009_checkouts_taken_up_again.ts';
import * as leadTallies from './migrations/0010_lead_tallies.ts';
import * as moneyDesk from './migrations/0011_money_desk.ts';
import * as attemptFaults from './migrations/0012_attempt_faults.ts';

// Named here and not found by scanning a folder: the recorded name must be the same from source and from a build.
const MIGRATIONS = [
  { name: '0001_leads', up: leads.up },
  { name: '0002_lead_counts', up: leadCounts.up },
  { name: '0003_operators', up: operators.up },
  { name: '0004_money', up: money.up },
  { name: '0005_console', up: operatorConsole.up },
  { name: '0006_subscription_life', up: subscriptionLife.up },
  { name: '0007_checkouts_given_up', up: checkoutsGivenUp.up },
  { name: '0008_sync_after_outages', up: syncAfterOutages.up },
  { name: '0009_checkouts_taken_up_again', up: checkoutsTakenUpAgain.up },
  { name: '0010_lead_tallies', up: leadTallies.up },
  { name: '0011_money_desk', up: moneyDesk.up },
  { name: '0012_attempt_faults', up: attemptFaults.up },
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
