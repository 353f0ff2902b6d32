// npm run bench: measures the promised speed beside the usual implementations. Each case has its
// own Postgres, Redis and process, so that none finds another's leftovers in memory. Named cases
// run alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Infra } from './processes.ts';
import type { Report } from './report.ts';

type Case = { run: (infra: Infra) => Promise<Report[]>; minutes: number };

/** Each with the minutes that it takes on two cores. A case loads its own code only. */
const CASES: Record<string, Case> = {
  intake: {
    run: async (infra) => (await import('./intake.bench.ts')).benchIntake(infra),
    minutes: 3,
  },
  worker: {
    run: async (infra) => (await import('./worker.bench.ts')).benchWorker(infra),
    minutes: 2,
  },
  console: {
    run: async (infra) => (await import('./console.bench.ts')).benchConsole(infra),
    minutes: 4,
  },
  'ten-million': {
    run: async (infra) => (await import('./ten-million.bench.ts')).benchTenMillion(infra),
    minutes: 35,
  },
};

/** A case that takes longer ends with an error. */
const MAX_MINUTES = 90;
const PROGRESS_MS = 60_000;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in CASES));
if (unknown.length > 0) {
  console.error(
    `npm run bench has no case ${unknown.join(', ')}. Cases: ${Object.keys(CASES).join(', ')}.`,
  );
  process.exit(2);
}
const chosen = Object.entries(CASES).filter(([name]) => named.length === 0 || named.includes(name));
const [only] = chosen;
process.exit((await (only && chosen.length === 1 ? runCase(only) : runEach(chosen))) ? 0 : 1);

/** Runs the cases one after the other, and returns true if all keep their promises. */
async function runEach(cases: [string, Case][]): Promise<boolean> {
  const total = cases.reduce((sum, [, { minutes }]) => sum + minutes, 0);
  const missed: string[] = [];
  for (const [at, [name, { minutes }]] of cases.entries()) {
    console.log(
      `\nCase ${at + 1} of ${cases.length}: ${name}, about ${minutes} minutes, ${total} in all`,
    );
    const command = [...process.execArgv, fileURLToPath(import.meta.url), name];
    const [code] = (await once(spawn(process.execPath, command, { stdio: 'inherit' }), 'exit')) as [
      number | null,
    ];
    if (code !== 0) missed.push(name);
  }
  console.log(
    missed.length === 0
      ? '\nAll promises are kept.'
      : `\nMissed a promise, or failed: ${missed.join(', ')}`,
  );
  return missed.length === 0;
}

/**
 * Runs a case in this process, and publishes its reports. Returns true if it keeps its promises.
 */
async function runCase([name, { run, minutes }]: [string, Case]): Promise<boolean> {
  const given = {
    databaseUrl: process.env['DATABASE_URL'] || undefined,
    redisUrl: process.env['REDIS_URL'] || undefined,
  };
  const { startTestInfra } = await import('@site/testing/test-infra');
  const { isGood, publish } = await import('./report.ts');
  const startedAt = performance.now();
  const passed = () => Math.round((performance.now() - startedAt) / 60_000);
  const progress = setInterval(
    () => console.log(`  ${name}: ${passed()} of about ${minutes} minutes`),
    PROGRESS_MS,
  );
  const infra = await startTestInfra(process.env['TEST_INFRA'], given, 'disk');
  try {
    const reports = await withinTime(name, run(infra));
    for (const report of reports) publish(report);
    return reports.every(isGood);
  } finally {
    clearInterval(progress);
    await infra.stop();
  }
}

async function withinTime<T>(name: string, work: Promise<T>): Promise<T> {
  const isOver = new AbortController();
  const tooLong = sleep(MAX_MINUTES * 60_000, undefined, isOver).then(() => {
    throw new Error(
      `${name} took more than ${MAX_MINUTES} minutes. Set BENCH_LEADS or BENCH_TEN_MILLION to fewer leads.`,
    );
  });
  return Promise.race([work, tooLong]).finally(() => isOver.abort());
}
