import { createDatabase } from '@site/platform/database/connect';
import { errorMessage } from '@site/platform/logged-error';
import { createLogger } from '@site/platform/logger';
import { readSettings, SettingsError } from '@site/platform/read-settings';
import cliProgress from 'cli-progress';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { v7 as newId } from 'uuid';
import { connectNewsletter } from '../newsletter/connect.ts';
import { countSentLeads, listLeadsThatDiffer } from '../reconcile/differences.repository.ts';
import { reconcileNow } from '../reconcile/reconcile.ts';
import { repairLead } from '../reconcile/repair.ts';
import { workerSettings } from '../settings.ts';

const USAGE = `Compares sent leads with the newsletter's own list.
  npm run reconcile                lists subscribers who are missing, invalid, unsubscribed or unknown
  npm run reconcile -- --fix       adds missing subscribers again; their leads stay sent
  npm run reconcile -- --json      prints the result as JSON
Joins a comparison that is already running. If this command is stopped, a worker finishes its comparison.
Exit code: 0 no differences, 1 differences, 2 could not check.`;

type Result = { checked: number; missing: string[]; invalid: string[]; left: string[]; unknown: number };

const EXIT = { same: 0, differs: 1, couldNotCheck: 2 };
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

/** Shows a progress bar during `work`. */
async function withBar<T>(title: string, total: number, work: (bar: cliProgress.SingleBar) => Promise<T>): Promise<T> {
  const options = {
    format: `${title} {bar} {value} of {total}`,
    stream: process.stderr,
    clearOnComplete: false,
    hideCursor: true,
  };
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  bar.start(total, 0);
  try {
    return await work(bar);
  } finally {
    bar.stop();
  }
}

async function run({ fix, json }: { fix: boolean; json: boolean }): Promise<number> {
  const settings = readSettings(workerSettings, { REDIS_URL: 'redis://unused', ...process.env });
  const log = createLogger({ service: 'reconcile', level: 'silent' });
  const db = createDatabase({
    url: settings.databaseUrl,
    maxConnections: 3,
    statementTimeoutMs: 0,
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
    worker: `reconcile-${hostname()}-${process.pid}`,
  };
  try {
    const expected = await countSentLeads(db);
    const { fault, checked, unknown } = await withBar('Reading the list  ', Math.max(1, expected), (reading) =>
      reconcileNow(deps, stopping.signal, (read) => {
        reading.setTotal(Math.max(read, expected));
        reading.update(read);
      }),
    );
    if (fault !== null) {
      console.error(`Could not compare: ${fault}.`);
      return EXIT.couldNotCheck;
    }
    const [missing, invalid, left] = [
      await listLeadsThatDiffer(db, 'missing-there'),
      await listLeadsThatDiffer(db, 'invalid'),
      await listLeadsThatDiffer(db, 'unsubscribed'),
    ];
    const repaired = fix ? await repairAll(deps, missing) : 0;
    print({ checked, missing, invalid, left, unknown }, { fix, json, repaired });
    const open = missing.length - repaired + invalid.length + left.length + unknown;
    return open === 0 ? EXIT.same : EXIT.differs;
  } finally {
    await db.destroy();
  }
}

async function repairAll(deps: Parameters<typeof repairLead>[0], ids: string[]): Promise<number> {
  if (ids.length === 0) return 0;
  return withBar('Adding subscribers', ids.length, async (bar) => {
    let repaired = 0;
    for (const id of ids) {
      if (await repairLead(deps, id, stopping.signal)) repaired += 1;
      bar.increment();
    }
    return repaired;
  });
}

function print(result: Result, { fix, json, repaired }: { fix: boolean; json: boolean; repaired: number }): void {
  const { checked, missing, invalid, left, unknown } = result;
  if (json) {
    console.log(JSON.stringify({ checked, missing, invalid, left, unknown, ...(fix ? { repaired } : {}) }));
    return;
  }
  console.log(`Compared ${checked} subscribers.`);
  console.log(`Missing at Beehiiv: ${missing.length}${fix ? `, added again: ${repaired}` : ''}`);
  console.log(`Rejected by Beehiiv: ${invalid.length}`);
  console.log(`Unsubscribed: ${left.length}`);
  console.log(`At Beehiiv without a lead: ${unknown}`);
  for (const id of missing) console.log(`  missing ${id}`);
  if (missing.length > repaired && !fix) console.log('To add missing subscribers again: npm run reconcile -- --fix');
}

const { values } = parseArgs({
  options: {
    fix: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else {
  try {
    process.exitCode = await run(values);
  } catch (error) {
    const why = error instanceof SettingsError ? error.message : `Could not compare: ${errorMessage(error)}`;
    console.error(stopping.signal.aborted ? 'Stopped.' : why);
    process.exitCode = EXIT.couldNotCheck;
  }
}
