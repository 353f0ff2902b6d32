import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './connect.ts';
import { createIndexMigration } from './migration.ts';
import type { Definition, Migration } from './migration.ts';
import { query } from './query.ts';
import * as leads from './migrations/0001_leads.ts';
import * as sync from './migrations/0002_sync.ts';
import * as money from './migrations/0003_money.ts';
import * as operatorConsole from './migrations/0004_console.ts';
import * as privacy from './migrations/0005_privacy.ts';
import * as stripeAddress from './migrations/0006_stripe_address.ts';
import * as searchStatistics from './migrations/0007_search_statistics.ts';
import * as progress from './migrations/0008_progress.ts';
import * as books from './migrations/0009_books.ts';
import * as owner from './migrations/0010_owner.ts';
import * as loginNetworks from './migrations/0023_login_networks.ts';
import * as subscriberCounts from './migrations/0024_subscriber_counts.ts';
import * as payers from './migrations/0028_payers.ts';
import * as statementClock from './migrations/0041_statement_clock.ts';
import * as textLimits from './migrations/0042_text_limits.ts';
import * as countedStates from './migrations/0043_counted_states.ts';
import * as paymentCounts from './migrations/0044_payment_counts.ts';
import * as stripeOutages from './migrations/0046_stripe_outages.ts';
import * as plainWords from './migrations/0047_plain_words.ts';

/** A step, or what follows the name of an index that is built while rows arrive, with one that it replaces. */
type Step = Migration['up'] | Definition | [Definition, replaces: string];

/** The searched text of a row, with a line for each part. */
const toSearched = (name: string) =>
  `plain_words(E'\\n' || email_normalised || E'\\n' || coalesce(${name}, '') || E'\\n' || coalesce(company, ''))`;

// Listed by name: found by scanning a folder, a migration would have one name in source and another in a build.
const STEPS: Record<string, Step> = {
  '0001_leads': leads.up,
  '0002_sync': sync.up,
  '0003_money': money.up,
  '0004_console': operatorConsole.up,
  '0005_privacy': privacy.up,
  '0006_stripe_address': stripeAddress.up,
  '0007_search_statistics': searchStatistics.up,
  '0008_progress': progress.up,
  '0009_books': books.up,
  '0010_owner': owner.up,
  '0011_leads_by_urgency': `on leads (urgency, next_attempt_at) where beehiiv_status = 'pending'`,
  '0012_leads_sent_again': `on leads (id) where beehiiv_status = 'sent' and sync_round > 1`,
  '0013_leads_with_later_consent': `on leads (consent_due_at) where consent_due_at is not null`,
  '0014_stripe_charges_refunded':
    'on stripe_charges (stripe_invoice_id) where refunded_pence >= amount_pence and amount_pence > 0',
  '0015_stripe_disputes_lost': `on stripe_disputes (stripe_charge_id) where status = 'lost'`,
  '0016_stripe_invoices_without_sums': 'on stripe_invoices (snapshot_at) where currency is null',
  // The expression of `leads_by_words`, over the columns that subscriptions have.
  '0017_subscriptions_by_words': `on subscriptions using gin (
      (E'\\n' || email_normalised || E'\\n' || coalesce(lower(name), '') || E'\\n' || coalesce(lower(company), '')) gin_trgm_ops
    )`,
  '0018_subscriptions_by_customer': 'on subscriptions (stripe_customer_id)',
  '0019_stripe_invoices_by_number': 'on stripe_invoices (upper(number)) where number is not null',
  // The last nine digits, which a number has with and without the code of its country.
  '0020_leads_by_phone': `on leads (right(regexp_replace(phone, '\\D', '', 'g'), 9)) where phone is not null`,
  '0021_subscriptions_by_phone': `on subscriptions (right(regexp_replace(phone, '\\D', '', 'g'), 9)) where phone is not null`,
  // The parts of Beehiiv Sent are counted in the index alone.
  '0022_leads_newest_by_status_and_parts': [
    'on leads (beehiiv_status, submitted_at desc, id desc) include (form_type, subscriber_status)',
    'leads_newest_by_status',
  ],
  '0023_login_networks': loginNetworks.up,
  '0024_subscriber_counts': subscriberCounts.up,
  // One payer, whatever subscriptions they have had: the expression of `payerOf` in the figures.
  '0025_subscriptions_by_payer':
    'on subscriptions (coalesce(email_normalised, erased_payer::text, stripe_customer_id))',
  // What was paid is added up in the index alone.
  '0026_stripe_invoices_paid_with_sums': [
    'on stripe_invoices (paid_at) include (stripe_subscription_id, paid_pence, id, currency, total_pence, tax_pence) where paid_pence > 0',
    'stripe_invoices_paid',
  ],
  '0027_checkouts_by_time': 'on checkouts (started_at)',
  '0028_payers': payers.up,
  '0029_subscriber_tiers_in_doubt': 'on subscriber_tiers (email_normalised) where is_in_doubt',
  '0030_subscriptions_live': 'on subscriptions (delivery_normalised) where is_live',
  '0031_subscriptions_ended': [
    'on subscriptions (ended_at) include (first_paid_at) where ended_at is not null',
    'subscriptions_churned',
  ],
  '0032_subscriptions_by_trial_end': 'on subscriptions (trial_ends_at) include (first_paid_at)',
  '0033_subscriptions_cancelled': 'on subscriptions (canceled_at) where canceled_at is not null',
  '0034_subscriptions_unread': `on subscriptions (id) where unread_parts <> '{}'`,
  '0035_stripe_invoices_recovered':
    'on stripe_invoices (paid_at) where paid_pence > 0 and (attempts > 1 or first_failed_at is not null)',
  '0036_stripe_invoices_not_in_pounds': `on stripe_invoices (id) where currency <> 'gbp'`,
  '0037_stripe_refunds_by_failure': 'on stripe_refunds (failed_at) where failed_at is not null',
  '0038_subscriptions_by_begin': 'on subscriptions (coalesce(started_at, created_at))',
  // The states of all payers are counted in the index alone.
  '0039_subscriptions_by_address_with_stage': [
    'on subscriptions (email_normalised) include (stage, first_paid_at, created_at)',
    'subscriptions_by_address',
  ],
  '0040_subscriptions_delivered_elsewhere':
    'on subscriptions (delivery_normalised) where delivery_email is not null',
  '0041_statement_clock': statementClock.up,
  '0042_text_limits': textLimits.up,
  '0043_counted_states': countedStates.up,
  '0044_payment_counts': paymentCounts.up,
  // Where each payment came from is read in the index alone.
  '0045_subscriptions_with_source':
    'on subscriptions (stripe_subscription_id) include (lead_id, visit_utm_source, referrer, utm_source)',
  '0046_stripe_outages': stripeOutages.up,
  '0047_plain_words': plainWords.up,
  '0048_leads_by_plain_words': [
    `on leads using gin (${toSearched('full_name')} gin_trgm_ops)`,
    'leads_by_words',
  ],
  '0049_subscriptions_by_plain_words': [
    `on subscriptions using gin (${toSearched('name')} gin_trgm_ops)`,
    'subscriptions_by_words',
  ],
  // As 0007, for the index that took its place.
  '0050_plain_words_statistics': async (db) => {
    await db.raw('alter index leads_by_plain_words alter column 1 set statistics 400');
  },
  // One whose payment failed keeps its stage when it is set to end.
  '0051_announced_endings': async (db) => {
    await db.raw(`create trigger subscriptions_announced_ending after update on subscriptions for each row
      when (old.cancel_at is distinct from new.cancel_at) execute function announce('money')`);
  },
};

const MIGRATIONS = Object.entries(STEPS).map(([name, step]): Migration => {
  if (typeof step === 'function') return { name, up: step };
  return typeof step === 'string'
    ? createIndexMigration(name, step)
    : createIndexMigration(name, ...step);
});

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
  {
    onBlocked,
    retryAfterMs = 3_000,
  }: { onBlocked?: (by: string) => void; retryAfterMs?: number } = {},
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
  return oldest
    ? `process ${oldest.pid} ("${oldest.program}", ${oldest.seconds} s)`
    : 'a session that has just ended';
}

/** Names the migrations of this build that the database lacks. */
export async function findMissingMigrations(db: Database): Promise<string[]> {
  const [, pending] = (await db.migrate.list(toOptions(MIGRATIONS))) as [
    unknown,
    { name: string }[],
  ];
  return pending.map((migration) => migration.name);
}
