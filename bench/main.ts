// npm run bench: measures the console with a million leads, compared with a thousand and with the usual queries, then in
// a browser; then the worker beside one that records nothing.
import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { startTestInfra } from '@site/testing/test-infra';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { benchBrowser } from './browser.bench.ts';
import { benchBaseline, benchConsole, consoleCalls } from './console.bench.ts';
import { benchCsv } from './csv.bench.ts';
import type { CsvResult } from './csv.bench.ts';
import { fillLeads } from './fill-leads.ts';
import type { Timing } from './measure.ts';
import { isWithin, printFindings, printTable } from './report.ts';
import { startApi } from './running-api.ts';
import type { RunningApi } from './running-api.ts';
import { benchIntake, isIntakeGood, printIntake } from './intake.bench.ts';
import { benchWorker } from './worker.bench.ts';

const SMALL = 1_000;
const LARGE = Number(process.env['BENCH_LEADS'] ?? 1_000_000);
const LARGE_IN_BROWSER = Number(process.env['BENCH_BROWSER_LEADS'] ?? Math.min(LARGE, 100_000));
/** Room for the stream's buffers, whose size does not depend on the number of rows. */
const CSV_GROWTH_MEGABYTES = 64;
const LEAST_CSV_RATIO = 0.6;

const LEAST_WORKER_RATIO = 0.4;

type Measured = { console: Map<string, Timing>; baseline: Map<string, Timing>; csv: CsvResult };

const given = {
  databaseUrl: process.env['DATABASE_URL'] || undefined,
  redisUrl: process.env['REDIS_URL'] || undefined,
};
const infra = await startTestInfra(process.env['TEST_INFRA'], given, 'disk');
let exitCode = 1;
try {
  const small = await measureAt(SMALL);
  const large = await measureAt(LARGE);
  const rows = consoleCalls('', LARGE).map(({ name, budgetMs }) => ({
    name,
    budgetMs,
    small: timingOf(small.console, name),
    large: timingOf(large.console, name),
    baseline: large.baseline.get(name),
  }));
  printTable(rows, { small: SMALL, large: LARGE });
  const { csv } = large;
  console.log(
    `\nCSV: ${csv.rows.toLocaleString('en-GB')} rows, ${csv.megabytes.toFixed(0)} MB in ${csv.seconds.toFixed(0)} s, ${csv.ofCopy.toFixed(2)} of Postgres's COPY; the process grew by ${csv.growthMegabytes.toFixed(0)} MB (${small.csv.growthMegabytes.toFixed(0)} MB for ${small.csv.rows.toLocaleString('en-GB')} rows)`,
  );
  const isCsvGood = csv.rows === LARGE && csv.growthMegabytes < CSV_GROWTH_MEGABYTES && csv.ofCopy >= LEAST_CSV_RATIO;

  const inBrowser = {
    small: await onFilledApi(SMALL, benchBrowser),
    large: await onFilledApi(LARGE_IN_BROWSER, benchBrowser),
  };
  console.log();
  printFindings(inBrowser, { small: SMALL, large: LARGE_IN_BROWSER });

  const leadsPerSecond = await benchWorker(infra);
  const ratio = leadsPerSecond.worker / leadsPerSecond.plain;
  console.log(
    `\nworker without a rate limit: ${leadsPerSecond.worker.toFixed(0)} leads a second, ${ratio.toFixed(2)} of a worker that records nothing (${leadsPerSecond.plain.toFixed(0)})`,
  );

  const intake = await benchIntake(infra);
  printIntake(intake);
  const isGood = rows.every(isWithin) && isCsvGood && ratio >= LEAST_WORKER_RATIO && isIntakeGood(intake);
  exitCode = isGood ? 0 : 1;
} finally {
  await infra.stop();
}
process.exit(exitCode);

async function measureAt(total: number): Promise<Measured> {
  return onFilledApi(total, async (api, db, databaseUrl) => {
    const console = await benchConsole(api, await readDeepCursor(db, total), total);
    const csv = await benchCsv(api, databaseUrl);
    return { console, csv, baseline: await benchBaseline(db, total) };
  });
}

/** Runs `work` with an API on its own database with this many leads, then removes both. */
async function onFilledApi<T>(
  total: number,
  work: (api: RunningApi, db: Database, databaseUrl: string) => Promise<T>,
): Promise<T> {
  const name = `bench_${total}_${process.pid}`;
  const databaseUrl = await createTestDatabase(infra.databaseUrl, name);
  const db = createDatabase({ url: databaseUrl, maxConnections: 3, statementTimeoutMs: 0 });
  try {
    await migrateDatabase(db);
    const startedAt = performance.now();
    await fillLeads(db, total);
    console.log(
      `${total.toLocaleString('en-GB')} leads written in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
    );
    const api = await startApi({ databaseUrl, redisUrl: infra.redisUrl });
    try {
      return await work(api, db, databaseUrl);
    } finally {
      await api.close();
    }
  } finally {
    await db.destroy();
    await dropTestDatabase(infra.databaseUrl, name);
  }
}

/** Returns the cursor of the middle of the list, in the API's format. */
async function readDeepCursor(db: Database, total: number): Promise<string> {
  const { rows } = await db.raw(
    `select to_char(submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, id from leads
     order by submitted_at desc, id desc limit 1 offset ?`,
    [Math.floor(total / 2)],
  );
  return Buffer.from(JSON.stringify([rows[0].at, rows[0].id])).toString('base64url');
}

function timingOf(timings: Map<string, Timing>, name: string): Timing {
  const timing = timings.get(name);
  if (!timing) throw new Error(`${name} was not measured`);
  return timing;
}
