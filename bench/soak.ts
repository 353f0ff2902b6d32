// npm run soak: leads, a visitor and an operator for some minutes, with a flaky Beehiiv and a
// restarted worker. Memory and handles must stay flat, tables must grow only with the leads, and no
// lead may be lost.
import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { startTestInfra } from '@site/testing/test-infra';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { findFreePort } from '@site/local-infra/free-port';
import { setTimeout as sleep } from 'node:timers/promises';
import { newSubmission } from './load.ts';
import { startNewsletter } from './newsletter.ts';
import { startApi, startWorker } from './processes.ts';
import type { Infra, RunningApi } from './processes.ts';
import { isGood, medianOf, publish, say } from './report.ts';
import type { Figure, Promised, Report } from './report.ts';

const LEADS_A_SECOND = 2;
const SAMPLE_MS = 5_000;
const MINUTE_MS = 60_000;
/** The worker is restarted six times, every ten minutes in an hour. */
const WORKER_LIVES = 6;
const SETTLE_MS = 5 * MINUTE_MS;
const GRAPH_POINTS = 40;

type Sampled = { name: string; metric: string; perUnit: number; promised: Promised };
/**
 * Each promise compares the medians of the second quarter and the last, because caches fill in the
 * first.
 */
const FIGURES: Sampled[] = [
  {
    name: 'memory, MB',
    metric: 'process_resident_memory_bytes',
    perUnit: 1e6,
    promised: { atMost: 1.15 },
  },
  {
    name: 'event-loop delay p99, ms',
    metric: 'nodejs_eventloop_lag_p99_seconds',
    perUnit: 1e-3,
    promised: { atMost: 1.5 },
  },
  {
    name: 'open handles',
    metric: 'nodejs_active_handles_total',
    perUnit: 1,
    promised: { atMost: 1.1 },
  },
];
const OF_DATABASE: Sampled[] = [
  { name: 'connections', metric: 'connections', perUnit: 1, promised: { atMost: 1.1 } },
  // Postgres clears a table once a part of it is dead, so the number of dead rows grows with the
  // table.
  { name: 'dead rows of a thousand', metric: 'dead', perUnit: 1, promised: { atMost: 1.5 } },
];
/** Rows of a table for each accepted lead, in the second half of the time ÷ in the first. */
const MAX_GROWTH = 1.15;

/** Checked by the task. */
const minutes = Number(process.argv[2]);
const infra = await startTestInfra(
  process.env['TEST_INFRA'],
  { databaseUrl: undefined, redisUrl: undefined },
  'disk',
);
let isFlat = false;
try {
  isFlat = await soak(infra);
} finally {
  await infra.stop();
}
process.exit(isFlat ? 0 : 1);

async function soak({ databaseUrl: server, redisUrl }: Infra): Promise<boolean> {
  const name = `soak_${process.pid}`;
  const databaseUrl = await createTestDatabase(server, name);
  const newsletter = await startNewsletter({ isFlaky: true });
  const api = await startApi({ databaseUrl, redisUrl });
  const db = createDatabase({ url: databaseUrl, maxConnections: 1, statementTimeoutMs: MINUTE_MS });
  const port = await findFreePort();
  const worker = { url: `http://127.0.0.1:${port}`, close: async () => undefined as void };
  // A lead that fails several times in a row is sent again before the soak ends.
  const settings = { WORKER_PORT: String(port), BEEHIIV_BACKOFF_BASE_MS: '2000' };
  const end = AbortSignal.timeout(minutes * MINUTE_MS);
  const people = { accepted: 0 };
  try {
    const [samples, tables] = await Promise.all([
      sample({ api: api.url, worker: worker.url }, db, end),
      watchTables(db, people, end),
      submitLeads(api, people, end),
      watchConsole(api, end),
      restartWorker(
        () => startWorker({ databaseUrl, redisUrl }, newsletter.url, settings),
        worker,
        end,
      ),
    ]);
    const lost = await countUnsent(db, people.accepted);
    const report = toReport(samples, tables, lost);
    publish(report);
    return isGood(report);
  } finally {
    await Promise.all([api.close(), worker.close(), db.destroy()]);
    newsletter.close();
    await dropTestDatabase(server, name);
  }
}

/**
 * Runs one worker after the other. The last continues after the end, and sends the remaining leads.
 */
async function restartWorker(
  start: () => ReturnType<typeof startWorker>,
  worker: { close(): Promise<void> },
  end: AbortSignal,
): Promise<void> {
  while (!end.aborted) {
    await worker.close();
    const started = await start();
    worker.close = () => started.close();
    await sleep((minutes * MINUTE_MS) / WORKER_LIVES, undefined, { signal: end }).catch(
      () => undefined,
    );
  }
}

/** Waits until no lead is pending, and returns the number of accepted leads that are not sent. */
async function countUnsent(db: Database, accepted: number): Promise<number> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const { rows } = await db.raw(
      `select count(*) filter (where beehiiv_status = 'sent')::int as sent, count(*) filter (where beehiiv_status = 'pending')::int as pending from leads`,
    );
    if (rows[0].pending === 0 || performance.now() > deadline) return accepted - rows[0].sent;
    await sleep(SAMPLE_MS);
  }
}

type Growth = Record<'first' | 'second', Record<string, number>>;

/** Counts the rows that each table gains for each accepted lead, in each half of the time. */
async function watchTables(
  db: Database,
  people: { accepted: number },
  end: AbortSignal,
): Promise<Growth> {
  const read = async () => ({ accepted: people.accepted, rows: await readRows(db) });
  const half = (minutes * MINUTE_MS) / 2;
  const start = await read();
  await sleep(half);
  const middle = await read();
  while (!end.aborted) await sleep(500);
  const last = await read();
  const growth = (from: typeof start, to: typeof start) =>
    Object.fromEntries(
      Object.entries(to.rows).map(([table, rows]) => [
        table,
        (rows - (from.rows[table] ?? 0)) / (to.accepted - from.accepted),
      ]),
    );
  return { first: growth(start, middle), second: growth(middle, last) };
}

async function readRows(db: Database): Promise<Record<string, number>> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_stat_user_tables order by 1`,
  );
  const counted: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db(name).count<{ count: number }[]>();
    counted[name] = Number(row?.count);
  }
  return counted;
}

type Samples = Record<string, Map<string, number[]>>;

/**
 * Reads the figures of each process and of the database every few seconds. A worker that has just
 * ended has none.
 */
async function sample(
  processes: Record<string, string>,
  db: Database,
  end: AbortSignal,
): Promise<Samples> {
  const samples: Samples = { api: new Map(), worker: new Map(), database: new Map() };
  const add = (name: string, metric: string, value: number) =>
    samples[name]?.set(metric, [...(samples[name].get(metric) ?? []), value]);
  while (!end.aborted) {
    await sleep(SAMPLE_MS, undefined, { signal: end }).catch(() => undefined);
    for (const [name, url] of Object.entries(processes)) {
      const answer = await fetch(`${url}/metrics`).catch(() => null);
      if (answer === null && name === 'worker') continue;
      const text = (await answer?.text()) ?? '';
      for (const { metric } of FIGURES) {
        add(name, metric, Number(new RegExp(`^${metric}(?:{[^}]*})? (.+)$`, 'm').exec(text)?.[1]));
      }
    }
    const { rows } = await db.raw<{ rows: { connections: number; dead: number }[] }>(
      `select (select count(*) from pg_stat_activity where datname = current_database())::int as connections,
         (select 1000 * sum(n_dead_tup) / greatest(sum(n_live_tup + n_dead_tup), 1) from pg_stat_user_tables)::int as dead`,
    );
    for (const [metric, value] of Object.entries(rows[0] ?? {})) add('database', metric, value);
    const seconds =
      (samples['api']?.get(FIGURES[0]?.metric ?? '')?.length ?? 0) * (SAMPLE_MS / 1_000);
    if (seconds % 60 === 0) console.log(`  ${seconds / 60} of ${minutes} minutes`);
  }
  return samples;
}

async function submitLeads(
  api: RunningApi,
  people: { accepted: number },
  end: AbortSignal,
): Promise<void> {
  while (!end.aborted) {
    const answer = await fetch(`${api.url}/api/lead/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(newSubmission(people.accepted)),
    });
    if (answer.status !== 201) throw new Error(`A lead was refused: ${await answer.text()}`);
    people.accepted += 1;
    await sleep(1_000 / LEADS_A_SECOND);
  }
}

/**
 * Reads the console and the site each second, and opens the live stream again and again, as
 * browsers do.
 */
async function watchConsole(api: RunningApi, end: AbortSignal): Promise<void> {
  for (let round = 0; !end.aborted; round++) {
    const stream = (await api.open('/api/admin/events'))[Symbol.asyncIterator]();
    await stream.next();
    await api.get('/api/admin/leads');
    await api.get(`/api/admin/leads?search=company${round % 50}`);
    await (await fetch(`${api.url}/`)).text();
    await stream.return?.();
    await sleep(1_000);
  }
}

function toReport(samples: Samples, tables: Growth, lost: number): Report {
  const sampled = Object.entries(samples).flatMap(([of, measured]) =>
    (of === 'database' ? OF_DATABASE : FIGURES).map(({ name, metric, perUnit, promised }) => {
      const all = (measured.get(metric) ?? []).map((value) => value / perUnit);
      const quarter = Math.floor(all.length / 4);
      const early = medianOf(all.slice(quarter, 2 * quarter));
      return { name: `${of}: ${name}`, all, early, late: medianOf(all.slice(-quarter)), promised };
    }),
  );
  const growing = Object.entries(tables.second)
    .filter(([, late]) => late > 0.01)
    .map(([table, late]) => {
      const name = `rows of ${table} for each lead`;
      return { name, early: tables.first[table] ?? 0, late, promised: { atMost: MAX_GROWTH } };
    });
  return {
    name: 'soak',
    title: `${minutes} minutes with ${LEADS_A_SECOND} leads a second, a visitor, an operator, a flaky Beehiiv and ${WORKER_LIVES} workers in turn`,
    heads: ['second quarter (of rows: first half)', 'last quarter (half)', 'ratio'],
    figures: [
      ...[...sampled, ...growing].map(({ name, early, late, promised }): Figure => {
        const value = late / early;
        return { name, value, cells: [early, late, value].map(say), promised };
      }),
      {
        name: 'accepted leads that were not sent',
        value: lost,
        cells: ['', say(lost), ''],
        promised: { atMost: 0 },
      },
    ],
    graph: sampled.map(({ name, all }) => toGraph(name, all)).join(''),
  };
}

/** Returns a graph as Mermaid text, which file viewers draw. */
function toGraph(name: string, all: number[]): string {
  const each = Math.max(1, Math.ceil(all.length / GRAPH_POINTS));
  const points = all.filter((_, at) => at % each === 0).map((value) => value.toFixed(1));
  const axes = `  x-axis "minutes" 0 --> ${minutes}\n  y-axis 0 --> ${(Math.max(...all) * 1.2).toFixed(1)}`;
  return `\n\`\`\`mermaid\nxychart-beta\n  title "${name}"\n${axes}\n  line [${points.join(', ')}]\n\`\`\`\n`;
}
