// npm run bench: measures the promised speed beside the usual implementations, on one Postgres and one Redis. Names of
// cases after it run those alone.
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestInfra } from '@site/testing/test-infra';
import { benchBrowser } from './browser.bench.ts';
import { benchConsole } from './console.bench.ts';
import type { Infra } from './filled-api.ts';
import { benchIntake } from './intake.bench.ts';
import { publish } from './report.ts';
import type { Report } from './report.ts';
import { benchStart } from './start.bench.ts';
import { benchTenMillion } from './ten-million.bench.ts';
import { benchWorker } from './worker.bench.ts';

const CASES: Record<string, (infra: Infra) => Promise<Report[]>> = {
  intake: benchIntake,
  worker: benchWorker,
  console: benchConsole,
  browser: benchBrowser,
  'ten-million': benchTenMillion,
  start: benchStart,
};

/** A case that takes longer ends with an error. Ten million leads take up to half an hour. */
const MAX_MINUTES = 60;

async function withinTime<T>(name: string, work: Promise<T>): Promise<T> {
  const isOver = new AbortController();
  const tooLong = sleep(MAX_MINUTES * 60_000, undefined, isOver).then(() => {
    throw new Error(
      `${name} took more than ${MAX_MINUTES} minutes. Set BENCH_LEADS or BENCH_TEN_MILLION to fewer leads.`,
    );
  });
  return Promise.race([work, tooLong]).finally(() => isOver.abort());
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in CASES));
if (unknown.length > 0) {
  console.error(`npm run bench has no case ${unknown.join(', ')}. Cases: ${Object.keys(CASES).join(', ')}.`);
  process.exit(2);
}
const given = {
  databaseUrl: process.env['DATABASE_URL'] || undefined,
  redisUrl: process.env['REDIS_URL'] || undefined,
};
const infra = await startTestInfra(process.env['TEST_INFRA'], given, 'disk');
let areGood = true;
try {
  for (const [name, run] of Object.entries(CASES)) {
    if (named.length > 0 && !named.includes(name)) continue;
    console.log(`\nMeasuring: ${name}`);
    for (const report of await withinTime(name, run(infra))) {
      publish(report);
      areGood &&= report.isGood;
    }
  }
} finally {
  await infra.stop();
}
process.exit(areGood ? 0 : 1);
