import type { Database } from '@site/platform/database/connect';
import { SYNC_QUEUE_NAME, SYNC_QUEUE_PREFIX } from '@site/platform/outbox/sync-queue';
import { Queue } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { onDatabase } from './databases.ts';
import { startNewsletter } from './newsletter.ts';
import { startBaseline, startWorker } from './processes.ts';
import type { Infra, Started } from './processes.ts';
import { medianOf } from './report.ts';
import type { Report } from './report.ts';

const LEADS = 3_000;
/** Enough for every connection to plan every statement, and for Node to compile what runs often. */
const WARM_UP = 500;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const CONCURRENCY = { WORKER_CONCURRENCY: '16' };

type Contender = {
  queue: string;
  prefix: string;
  table: string;
  /** The worker planned its statements on an empty database, before any analysis. */
  isFresh?: boolean;
  start: (infra: Infra, newsletterUrl: string) => Promise<Started>;
};

const OURS: Contender = {
  queue: SYNC_QUEUE_NAME,
  prefix: SYNC_QUEUE_PREFIX,
  table: 'leads',
  start: (infra, url) => startWorker(infra, url, CONCURRENCY),
};
const CONTENDERS: Record<'ours' | 'fresh' | 'plain', Contender> = {
  ours: OURS,
  fresh: { ...OURS, isFresh: true },
  plain: {
    queue: 'plain',
    prefix: 'bull',
    table: 'plain_leads',
    start: (infra, url) =>
      startBaseline('plain-worker.ts', infra, { BEEHIIV_API_URL: url, ...CONCURRENCY }),
  },
};

/**
 * Measures leads a second on a provider without a limit, beside a worker that records nothing, and
 * on a database that was just made. They take turns on the same Postgres and Redis. Reports
 * medians.
 */
export async function benchWorker(infra: Infra): Promise<Report[]> {
  const newsletter = await startNewsletter();
  const rates: Record<keyof typeof CONTENDERS, number[]> = { ours: [], fresh: [], plain: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ['ours', 'fresh', 'plain'] as const)
        rates[name].push(
          await measureWorker(infra, CONTENDERS[name], newsletter.url, `${name}_${round}`),
        );
    }
  } finally {
    newsletter.close();
  }
  const [ours, fresh, plain] = [medianOf(rates.ours), medianOf(rates.fresh), medianOf(rates.plain)];
  return [
    {
      name: 'worker',
      title: 'Worker, without a rate limit (leads a second)',
      heads: ['value'],
      figures: [
        { name: 'ours', value: ours },
        { name: 'ours, right after the first migration', value: fresh },
        { name: 'a worker that records nothing', value: plain },
        { name: 'ours ÷ the other', value: ours / plain, promised: { atLeast: 0.35 } },
        {
          name: 'after the migration ÷ the other',
          value: fresh / plain,
          promised: { atLeast: 0.35 },
        },
      ],
    },
  ];
}

function measureWorker(
  infra: Infra,
  { queue: queueName, prefix, table, isFresh = false, start }: Contender,
  newsletterUrl: string,
  name: string,
): Promise<number> {
  return onDatabase(infra, name, async (own, db) => {
    const queue = new Queue(queueName, { connection: { url: infra.redisUrl }, prefix });
    /** Has these leads sent, and returns the seconds that it took. */
    const send = async (ids: string[]) => {
      const left = (await countPending(db, table)) - ids.length;
      await db('leads')
        .whereIn('id', ids)
        .update({ nextAttemptAt: db.raw('now()') });
      const startedAt = performance.now();
      await queue.addBulk(
        ids.map((leadId) => ({
          name: 'push',
          data: { leadId },
          opts: { jobId: `lead-${leadId}`, removeOnComplete: true, removeOnFail: true },
        })),
      );
      while ((await countPending(db, table)) > left) await sleep(50);
      return (performance.now() - startedAt) / 1_000;
    };
    let worker = isFresh ? await start(own, newsletterUrl) : undefined;
    try {
      const first = await fill(db, WARM_UP);
      let measured: string[] = [];
      if (!worker) {
        measured = await fill(db, LEADS);
        await db.raw('vacuum analyze');
        worker = await start(own, newsletterUrl);
      }
      await send(first);
      if (isFresh) measured = await fill(db, LEADS);
      return LEADS / (await send(measured));
    } finally {
      await worker?.close();
      await queue.close();
    }
  });
}

/**
 * Inserts leads that are due tomorrow, so that the sweep starts none before the clock. Returns
 * their ids.
 */
async function fill(db: Database, leads: number): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `insert into leads (id, email, form_type, utm_source, consent_marketing, next_attempt_at)
     select gen_random_uuid(), 'reader' || n || '@' || :leads::int || '.bench.example', 'pre_buy', 'nav_sub', true, now() + interval '1 day' from generate_series(1, :leads::int) n
     returning id`,
    { leads },
  );
  // The API does this right after each lead.
  await db.raw('select judge_person(email_normalised) from leads');
  await db.raw(
    `drop table if exists plain_leads;
     create table plain_leads as select * from leads;
     alter table plain_leads add primary key (id)`,
  );
  return rows.map(({ id }) => id);
}

async function countPending(db: Database, table: string): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::int as n from ${table} where beehiiv_status = 'pending'`,
  );
  return rows[0].n;
}
