import { createDatabase } from '@site/platform/database/connect';
import { errorMessage } from '@site/platform/process/logged-error';
import { createLogger } from '@site/platform/process/logger';
import { readFlags } from '@site/platform/settings/read-flags';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import type { Row } from '@site/platform/database/tables';
import type { DifferenceKind } from '@site/schema/differences';
import { hostname } from 'node:os';
import { v7 as newId } from 'uuid';
import { connectNewsletter } from '../newsletter/connect.ts';
import {
  countDifferences,
  countSentLeads,
  listDifferences,
} from '../comparison/differences.repository.ts';
import type { Comparison } from '../comparison/comparison.repository.ts';
import { reconcileNow } from '../comparison/comparison.ts';
import { servePeople } from '../person/person.processor.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { workerSettings } from '../settings.ts';

const USAGE = `Compares our leads and subscriptions with the newsletter's own list.
  npm run reconcile                lists subscribers who are missing, invalid, unsubscribed or
    unknown
  npm run reconcile -- --fix       adds missing subscribers again,
    and sets the tier of those who pay
  npm run reconcile -- --json      prints the result as JSON
Joins a comparison that is already running. If this command is stopped, a worker finishes its
comparison.
Exit code: 0 no differences, 1 differences, 2 could not check.`;

type Result = ReturnType<typeof toResult>;

const EXIT = { same: 0, differs: 1, couldNotCheck: 2 };
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

/** Shows the command's progress in a terminal. */
function showProgress(what: string, done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${what}: ${done} of ${total} `);
}

async function run({ fix, json }: { fix: boolean; json: boolean }): Promise<number> {
  const settings = readSettings(workerSettings, { REDIS_URL: 'redis://unused', ...process.env });
  const log = createLogger({ service: 'reconcile', level: 'silent' });
  const db = createDatabase({
    url: settings.databaseUrl,
    maxConnections: 3,
    statementTimeoutMs: 3_600_000,
    applicationName: 'reconcile',
  });
  const connected = connectNewsletter(settings, { db, log });
  const deps = {
    ...connected,
    db,
    newId,
    backoffBaseMs: settings.backoffBaseMs,
    random: Math.random,
    delivery: settings.delivery,
    log,
    worker: `reconcile-${hostname()}-${process.pid}`,
  };
  try {
    const expected = await countSentLeads(db);
    const comparison = await reconcileNow(deps, stopping.signal, (read) =>
      showProgress('Reading the list', read, Math.max(read, expected)),
    );
    if (comparison.failure !== null) {
      console.error(`Could not compare: ${comparison.failure}.`);
      return EXIT.couldNotCheck;
    }
    const differences = await listDifferences(db);
    const result = toResult(differences, comparison);
    const fixed = fix ? await fixAll(deps, differences) : 0;
    print(result, { fix, json, fixed });
    const { 'unknown-here': _, ...left } = await countDifferences(db);
    const open = Object.values(left).reduce((sum, count) => sum + count, comparison.unknown);
    return open === 0 ? EXIT.same : EXIT.differs;
  } finally {
    await db.destroy();
  }
}

type Difference = Row<'differences'>;

function toResult(
  differences: Difference[],
  { checked, skipped, unknown, paymentsChecked }: Comparison,
) {
  const of = (kind: DifferenceKind) => differences.filter((difference) => difference.kind === kind);
  const leads = (kind: DifferenceKind) => of(kind).flatMap(({ leadId }) => leadId ?? []);
  const subscriptions = (kind: DifferenceKind) =>
    of(kind).map((row) => row.stripeSubscriptionId ?? row.subscriberId ?? row.leadId ?? '');
  return {
    checked,
    skipped,
    missing: leads('missing-there'),
    invalid: leads('invalid'),
    left: leads('unsubscribed'),
    unknown,
    payments: {
      checked: paymentsChecked,
      paysNotActive: subscriptions('pays-not-active'),
      paysTwice: subscriptions('pays-twice'),
      premiumNotPaying: subscriptions('premium-not-paying'),
    },
  };
}

/**
 * Adds missing subscribers and sets the tier of payers. Leaves the removal of a tier to a person. A
 * worker repeats what fails.
 */
async function fixAll(deps: SyncDeps, differences: Difference[]): Promise<number> {
  const fixable = differences.filter(
    ({ kind, remedy }) =>
      kind === 'missing-there' || (kind === 'pays-not-active' && remedy === 'set-premium'),
  );
  const rows = () =>
    deps.db('differences').whereIn(
      'id',
      fixable.map(({ id }) => id),
    );
  await rows().update({ requestedAt: deps.db.raw('sync_now()') });
  await servePeople(deps, 'background', stopping.signal);
  return fixable.length - (await rows().select('id')).length;
}

function print(
  result: Result,
  { fix, json, fixed }: { fix: boolean; json: boolean; fixed: number },
): void {
  if (json) {
    console.log(JSON.stringify({ ...result, ...(fix ? { repaired: fixed } : {}) }));
    return;
  }
  const { checked, skipped, missing, invalid, left, unknown, payments } = result;
  console.log(`Compared ${checked} subscribers and ${payments.checked} subscriptions.`);
  if (skipped > 0) console.log(`Could not be read: ${skipped}`);
  console.log(`Missing at Beehiiv: ${missing.length}`);
  console.log(`Rejected by Beehiiv: ${invalid.length}`);
  console.log(`Unsubscribed: ${left.length}`);
  console.log(`At Beehiiv without a lead: ${unknown}`);
  console.log(`Pay but do not receive: ${payments.paysNotActive.length}`);
  console.log(`Pay twice: ${payments.paysTwice.length}`);
  console.log(`Premium at Beehiiv without paying: ${payments.premiumNotPaying.length}`);
  for (const id of missing) console.log(`  missing ${id}`);
  for (const id of payments.paysNotActive) console.log(`  pays, not active ${id}`);
  if (fix) console.log(`Put right: ${fixed}`);
  else if (missing.length + payments.paysNotActive.length > 0) {
    console.log('To put right what a program can, add --fix. The console lists the rest.');
  }
}

const { fix = false, json = false } = readFlags(USAGE, {
  fix: { type: 'boolean' },
  json: { type: 'boolean' },
});
try {
  process.exitCode = await run({ fix, json });
} catch (error) {
  const why =
    error instanceof SettingsError ? error.message : `Could not compare: ${errorMessage(error)}`;
  console.error(stopping.signal.aborted ? 'Stopped.' : why);
  process.exitCode = EXIT.couldNotCheck;
}
