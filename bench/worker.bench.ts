import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { SYNC_QUEUE_NAME, SYNC_QUEUE_PREFIX } from '@site/platform/outbox/sync-queue';
import { Queue } from 'bullmq';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Infra } from './filled-api.ts';
import { startNewsletter } from './newsletter.ts';
import { isKept, judge, say } from './report.ts';
import type { Report } from './report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LEADS = 3_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const CONCURRENCY = '16';
const MIN_RATIO = 0.4;

type Contender = {
  queue: string;
  prefix: string;
  table: string;
  start(env: NodeJS.ProcessEnv): ChildProcess;
};

const run = (command: string, args: string[], env: NodeJS.ProcessEnv) =>
  spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

const CONTENDERS: Record<'worker' | 'plain', Contender> = {
  worker: {
    queue: SYNC_QUEUE_NAME,
    prefix: SYNC_QUEUE_PREFIX,
    table: 'leads',
    start: (env) => run(process.execPath, ['services/worker/dist/main.js'], env),
  },
  plain: {
    queue: 'plain',
    prefix: 'bull',
    table: 'plain_leads',
    start: (env) =>
      run(process.execPath, ['--import', 'tsx', 'bench/baseline/plain-worker.ts'], env),
  },
};

/**
 * Measures leads a second on a provider without a limit, beside a worker that records nothing. They take turns on the same
 * Postgres and Redis. Reports medians.
 */
export async function benchWorker(infra: Infra): Promise<Report[]> {
  const { worker, plain } = await measureBoth(infra);
  const ratio = worker / plain;
  const promised = { atLeast: MIN_RATIO };
  return [
    {
      name: 'worker',
      title: 'Worker, without a rate limit (leads a second)',
      heads: ['', 'value', 'promise', ''],
      lines: [
        ['ours', say(worker), ...judge(worker, {})],
        ['a worker that records nothing', say(plain), ...judge(plain, {})],
        ['ours ÷ the other', say(ratio), ...judge(ratio, promised)],
      ],
      isGood: isKept(ratio, promised),
    },
  ];
}

async function measureBoth(infra: Infra): Promise<Record<keyof typeof CONTENDERS, number>> {
  const newsletter = await startNewsletter();
  const rates: Record<string, number[]> = { worker: [], plain: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, contender] of Object.entries(CONTENDERS)) {
        rates[name]?.push(
          await measure(infra, contender, newsletter.url, `bench_${name}_${round}`),
        );
      }
    }
  } finally {
    newsletter.close();
  }
  return { worker: medianOf(rates['worker'] ?? []), plain: medianOf(rates['plain'] ?? []) };
}

async function measure(
  infra: Infra,
  contender: Contender,
  newsletterUrl: string,
  name: string,
): Promise<number> {
  const databaseUrl = await createTestDatabase(infra.databaseUrl, `${name}_${process.pid}`);
  const db = createDatabase({ url: databaseUrl, maxConnections: 2, statementTimeoutMs: 3_600_000 });
  const queue = new Queue(contender.queue, {
    connection: { url: infra.redisUrl },
    prefix: contender.prefix,
  });
  try {
    await migrateDatabase(db);
    const ids = await fill(db);
    const worker = contender.start({
      DATABASE_URL: databaseUrl,
      REDIS_URL: infra.redisUrl,
      BEEHIIV_API_URL: newsletterUrl,
      BEEHIIV_REQUESTS_PER_MINUTE: '0',
      WORKER_CONCURRENCY: CONCURRENCY,
      WORKER_PORT: '0',
      LOG_LEVEL: 'warn',
    });
    await sleep(3_000);
    await db('leads').update({ nextAttemptAt: db.raw('now()') });
    const startedAt = performance.now();
    await queue.addBulk(
      ids.map((leadId) => ({
        name: 'push',
        data: { leadId },
        opts: { jobId: `lead-${leadId}`, removeOnComplete: true, removeOnFail: true },
      })),
    );
    while ((await countPending(db, contender.table)) > 0) await sleep(50);
    const seconds = (performance.now() - startedAt) / 1_000;
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    return LEADS / seconds;
  } finally {
    await queue.close();
    await db.destroy();
    await dropTestDatabase(infra.databaseUrl, `${name}_${process.pid}`);
  }
}

/** Inserts leads that are due tomorrow, so that the sweep starts none before the clock. Returns their ids. */
async function fill(db: Database): Promise<string[]> {
  await db.raw(
    `insert into leads (id, email, form_type, utm_source, consent_marketing, next_attempt_at)
     select gen_random_uuid(), 'reader' || n || '@bench.example', 'pre_buy', 'nav_sub', true, now() + interval '1 day' from generate_series(1, ?::int) n`,
    [LEADS],
  );
  await db.raw(
    'create table plain_leads as select * from leads; alter table plain_leads add primary key (id)',
  );
  await db.raw('vacuum analyze');
  return db('leads').pluck('id');
}

async function countPending(db: Database, table: string): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::int as n from ${table} where beehiiv_status = 'pending'`,
  );
  return rows[0].n;
}

const medianOf = (values: number[]) =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
