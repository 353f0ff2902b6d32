import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './connect.ts';
import { createIndexMigration } from './migration.ts';
import type { Migration } from './migration.ts';
import { query } from './query.ts';
import * as leads from './migrations/0001_leads.ts';
import * as sync from './migrations/0002_sync.ts';
import * as money from './migrations/0003_money.ts';
import * as operatorConsole from './migrations/0004_console.ts';
import * as privacy from './migrations/0005_privacy.ts';
import * as stripeAddress from './migrations/0006_stripe_address.ts';
import * as searchStatistics from './migrations/0007_search_statistics.ts';
import * as lastBackup from './migrations/0008_last_backup.ts';
import * as urgency from './migrations/0009_urgency.ts';
import * as reasons from './migrations/0011_reasons.ts';
import * as workerPresence from './migrations/0012_worker_presence.ts';
import * as subscribers from './migrations/0013_subscribers.ts';
import * as comparisonEnds from './migrations/0014_comparison_ends.ts';
import * as attention from './migrations/0017_attention.ts';
import * as parkedIds from './migrations/0020_parked_ids.ts';
import * as invoiceSums from './migrations/0021_invoice_sums.ts';
import * as moneyNights from './migrations/0023_money_nights.ts';
import * as mails from './migrations/0028_mails.ts';
import * as outages from './migrations/0030_outages.ts';
import * as abandonedOffers from './migrations/0033_abandoned_offers.ts';
import * as erasedPayer from './migrations/0031_erased_payer.ts';
import * as browserEpoch from './migrations/0032_browser_epoch.ts';
import * as failuresByDate from './migrations/0034_failures_by_date.ts';
import * as eventPermission from './migrations/0035_event_permission.ts';
import * as traces from './migrations/0036_traces.ts';
import * as notes from './migrations/0037_notes.ts';
import * as refusedSignatures from './migrations/0040_refused_signatures.ts';
import * as beehiivCheck from './migrations/0041_beehiiv_check.ts';

// Listed by name: found by scanning a folder, a migration would have one name in source and another in a build.
const MIGRATIONS: Migration[] = [
  { name: '0001_leads', up: leads.up },
  { name: '0002_sync', up: sync.up },
  { name: '0003_money', up: money.up },
  { name: '0004_console', up: operatorConsole.up },
  { name: '0005_privacy', up: privacy.up },
  { name: '0006_stripe_address', up: stripeAddress.up },
  { name: '0007_search_statistics', up: searchStatistics.up },
  { name: '0008_last_backup', up: lastBackup.up },
  { name: '0009_urgency', up: urgency.up },
  createIndexMigration(
    '0010_leads_by_urgency',
    'leads_by_urgency',
    `on leads (urgency, next_attempt_at) where beehiiv_status = 'pending'`,
  ),
  { name: '0011_reasons', up: reasons.up },
  { name: '0012_worker_presence', up: workerPresence.up },
  { name: '0013_subscribers', up: subscribers.up },
  { name: '0014_comparison_ends', up: comparisonEnds.up },
  createIndexMigration(
    '0015_leads_sent_again',
    'leads_sent_again',
    `on leads (id) where beehiiv_status = 'sent' and sync_round > 1`,
  ),
  createIndexMigration(
    '0016_leads_with_later_consent',
    'leads_with_later_consent',
    `on leads (consent_due_at) where consent_due_at is not null`,
  ),
  { name: '0017_attention', up: attention.up },
  createIndexMigration(
    '0018_charges_refunded',
    'stripe_charges_refunded',
    'on stripe_charges (stripe_invoice_id) where refunded_pence >= amount_pence and amount_pence > 0',
  ),
  createIndexMigration(
    '0019_disputes_lost',
    'stripe_disputes_lost',
    `on stripe_disputes (stripe_charge_id) where status = 'lost'`,
  ),
  { name: '0020_parked_ids', up: parkedIds.up },
  { name: '0021_invoice_sums', up: invoiceSums.up },
  createIndexMigration(
    '0022_invoices_without_sums',
    'stripe_invoices_without_sums',
    'on stripe_invoices (snapshot_at) where currency is null',
  ),
  { name: '0023_money_nights', up: moneyNights.up },
  createIndexMigration(
    '0025_subscriptions_by_words',
    'subscriptions_by_words',
    // The expression of `leads_by_words`, over the columns that subscriptions have.
    `on subscriptions using gin (
      (E'\\n' || email_normalised || E'\\n' || coalesce(lower(name), '') || E'\\n' || coalesce(lower(company), '')) gin_trgm_ops
    )`,
  ),
  createIndexMigration(
    '0026_subscriptions_by_customer',
    'subscriptions_by_customer',
    'on subscriptions (stripe_customer_id)',
  ),
  createIndexMigration(
    '0027_stripe_invoices_by_number',
    'stripe_invoices_by_number',
    'on stripe_invoices (upper(number)) where number is not null',
  ),
  { name: '0028_mails', up: mails.up },
  { name: '0030_outages', up: outages.up },
  { name: '0031_erased_payer', up: erasedPayer.up },
  { name: '0032_browser_epoch', up: browserEpoch.up },
  { name: '0033_abandoned_offers', up: abandonedOffers.up },
  { name: '0034_failures_by_date', up: failuresByDate.up },
  { name: '0035_event_permission', up: eventPermission.up },
  { name: '0036_traces', up: traces.up },
  { name: '0037_notes', up: notes.up },
  // The last nine digits, which a number has with and without the code of its country.
  createIndexMigration(
    '0038_leads_by_phone',
    'leads_by_phone',
    `on leads (right(regexp_replace(phone, '\\D', '', 'g'), 9)) where phone is not null`,
  ),
  createIndexMigration(
    '0039_subscriptions_by_phone',
    'subscriptions_by_phone',
    `on subscriptions (right(regexp_replace(phone, '\\D', '', 'g'), 9)) where phone is not null`,
  ),
  { name: '0040_refused_signatures', up: refusedSignatures.up },
  { name: '0041_beehiiv_check', up: beehiivCheck.up },
];

/** Statements queue behind a migration that waits for their table, so it waits for one second and tries again later. */
const LOCK_TIMEOUT = `set local lock_timeout = '1s'`;
const MAX_RETRIES = 150;

const withLockTimeout = (up: Migration['up']): Migration['up'] => {
  return async (db) => {
    await query(db, LOCK_TIMEOUT);
    await up(db);
  };
};

const toOptions = (migrations: Migration[]) => ({
  migrationSource: {
    getMigrations: () => Promise.resolve(migrations),
    getMigrationName: ({ name }: Migration) => name,
    getMigration: ({ up, config }: Migration) =>
      Promise.resolve({
        up: config?.transaction === false ? up : withLockTimeout(up),
        ...(config && { config }),
        down: () => Promise.reject(new Error('Migrations only go forward')),
      }),
  },
  // The database may be ahead of this build: during a rolling update, or after going back a release.
  disableMigrationsListValidation: true,
});

/**
 * Applies the missing migrations, each in a transaction of its own, and returns their names. Safe to run twice, and from two
 * machines at once. While another session uses a table, it tries again for ten minutes, and tells `onBlocked` who that may
 * be. `later` follow those of this build.
 */
export async function migrateDatabase(
  db: Database,
  later: Migration[] = [],
  { onBlocked, retryAfterMs = 3_000 }: { onBlocked?: (by: string) => void; retryAfterMs?: number } = {},
): Promise<string[]> {
  return db.transaction(async (trx) => {
    // Only holds the lock while another connection migrates, however long that takes.
    await query(trx, 'set local idle_in_transaction_session_timeout = 0');
    // With knex's own lock a second runner would fail. With this one it waits, and then has nothing to do.
    await query(trx, `select pg_advisory_xact_lock(hashtext('migrate'))`);
    const options = toOptions([...MIGRATIONS, ...later]);
    const all: string[] = [];
    for (let retries = 0; ;) {
      try {
        const [, applied] = (await db.migrate.up(options)) as [number, string[]];
        if (applied.length === 0) return all;
        all.push(...applied);
      } catch (error) {
        if (!isBlocked(error) || retries >= MAX_RETRIES) throw error;
        retries += 1;
        onBlocked?.(await findOldestSession(trx));
        await sleep(retryAfterMs);
      }
    }
  });
}

/** Returns true for a lock that another session holds, or a deadlock with one. */
const isBlocked = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');

/** Describes the session whose transaction has been open longest: usually it is the one that a migration waits for. */
async function findOldestSession(db: Database): Promise<string> {
  const [oldest] = await query<{ pid: number; program: string; seconds: number }>(
    db,
    `select pid, application_name as program, extract(epoch from clock_timestamp() - xact_start)::int as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  );
  return oldest ? `process ${oldest.pid} ("${oldest.program}", ${oldest.seconds} s)` : 'a session that has just ended';
}

/** Names the migrations of this build that the database lacks. */
export async function findMissingMigrations(db: Database): Promise<string[]> {
  const [, pending] = (await db.migrate.list(toOptions(MIGRATIONS))) as [unknown, { name: string }[]];
  return pending.map((migration) => migration.name);
}
