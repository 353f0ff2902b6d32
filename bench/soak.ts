// npm run soak: leads, visitors and an operator for some minutes. Memory, event-loop delay and open handles must stay flat.
import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { startTestInfra } from '@site/testing/test-infra';
import { findFreePort } from '@site/local-infra/free-port';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Infra } from './filled-api.ts';
import { newSubmission } from './intake.bench.ts';
import { startNewsletter } from './newsletter.ts';
import { isKept, judge, publish, say } from './report.ts';
import type { Promised, Report } from './report.ts';
import { startApi } from './running-api.ts';
import type { RunningApi } from './running-api.ts';

const LEADS_A_SECOND = 10;
const SAMPLE_MS = 5_000;
const MINUTE_MS = 60_000;
const GRAPH_POINTS = 40;

type Figure = { name: string; metric: string; perUnit: number; promised: Promised };
/** Each promise compares the medians of the second quarter and the last. In the first the caches fill. */
const FIGURES: Figure[] = [
  { name: 'memory, MB', metric: 'process_resident_memory_bytes', perUnit: 1e6, promised: { atMost: 1.15 } },
  {
    name: 'event-loop delay p99, ms',
    metric: 'nodejs_eventloop_lag_p99_seconds',
    perUnit: 1e-3,
    promised: { atMost: 1.5 },
  },
  { name: 'open handles', metric: 'nodejs_active_handles_total', perUnit: 1, promised: { atMost: 1.1 } },
];

function readMinutes(): number {
  try {
    const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
    const minutes = Number(values.minutes);
    if (minutes > 0 && minutes <= 600) return minutes;
  } catch {
    // An unknown option gets the same message as a wrong value.
  }
  console.error('npm run soak takes -- --minutes, a number from 1 to 600.');
  process.exit(2);
}

const minutes = readMinutes();
const infra = await startTestInfra(process.env['TEST_INFRA'], { databaseUrl: undefined, redisUrl: undefined }, 'disk');
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
  const newsletter = await startNewsletter();
  const api = await startApi({ databaseUrl, redisUrl });
  const worker = await startWorker({ databaseUrl, redisUrl }, newsletter.url);
  const end = AbortSignal.timeout(minutes * MINUTE_MS);
  try {
    const [samples] = await Promise.all([
      sample({ api: api.url, worker: worker.url }, end),
      submitLeads(api, end),
      watchConsole(api, end),
    ]);
    const report = toReport(samples);
    publish(report);
    return report.isGood;
  } finally {
    await Promise.all([api.close(), worker.close()]);
    newsletter.close();
    await dropTestDatabase(server, name);
  }
}

type Samples = Record<string, Map<string, number[]>>;

/** Reads the figures of each process every few seconds. */
async function sample(processes: Record<string, string>, end: AbortSignal): Promise<Samples> {
  const samples: Samples = Object.fromEntries(Object.keys(processes).map((name) => [name, new Map()]));
  while (!end.aborted) {
    await sleep(SAMPLE_MS, undefined, { signal: end }).catch(() => undefined);
    for (const [name, url] of Object.entries(processes)) {
      const text = await (await fetch(`${url}/metrics`)).text();
      for (const { metric } of FIGURES) {
        const value = Number(new RegExp(`^${metric}(?:{[^}]*})? (.+)$`, 'm').exec(text)?.[1]);
        samples[name]?.set(metric, [...(samples[name].get(metric) ?? []), value]);
      }
    }
    const seconds = (samples['api']?.get(FIGURES[0]?.metric ?? '')?.length ?? 0) * (SAMPLE_MS / 1_000);
    if (seconds % 60 === 0) console.log(`  ${seconds / 60} of ${minutes} minutes`);
  }
  return samples;
}

async function submitLeads(api: RunningApi, end: AbortSignal): Promise<void> {
  for (let people = 0; !end.aborted; people++) {
    const answer = await fetch(`${api.url}/api/lead/subscribe`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(newSubmission(people)),
    });
    if (answer.status !== 201) throw new Error(`A lead was refused: ${await answer.text()}`);
    await sleep(1_000 / LEADS_A_SECOND);
  }
}

/** Reads the console and the site each second, and opens the live stream again and again, as browsers do. */
async function watchConsole(api: RunningApi, end: AbortSignal): Promise<void> {
  for (let round = 0; !end.aborted; round++) {
    const stream = (await api.open('/api/admin/events'))[Symbol.asyncIterator]();
    await stream.next();
    await api.get('/api/admin/leads');
    await api.get(`/api/admin/leads?search=company${round % 50}`);
    await api.get('/api/admin/leads/counts');
    await (await fetch(`${api.url}/`)).text();
    await stream.return?.();
    await sleep(1_000);
  }
}

async function startWorker(infra: Infra, newsletterUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const port = await findFreePort();
  const child = spawn(process.execPath, ['services/worker/dist/main.js'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: infra.databaseUrl,
      REDIS_URL: infra.redisUrl,
      BEEHIIV_API_URL: newsletterUrl,
      BEEHIIV_REQUESTS_PER_MINUTE: '0',
      WORKER_PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/livez`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('the worker did not start');
    await sleep(100);
  }
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function toReport(samples: Samples): Report {
  const figures = Object.entries(samples).flatMap(([process, measured]) =>
    FIGURES.map(({ name, metric, perUnit, promised }) => {
      const all = (measured.get(metric) ?? []).map((value) => value / perUnit);
      const quarter = Math.floor(all.length / 4);
      const early = medianOf(all.slice(quarter, 2 * quarter));
      const late = medianOf(all.slice(-quarter));
      return { name: `${process}: ${name}`, all, early, late, ratio: late / early, promised };
    }),
  );
  return {
    name: 'soak',
    title: `${minutes} minutes with ${LEADS_A_SECOND} leads a second, a visitor and an operator`,
    heads: ['', 'second quarter', 'last quarter', 'ratio', 'promise', ''],
    lines: figures.map(({ name, early, late, ratio, promised }) => [
      name,
      ...[early, late, ratio].map(say),
      ...judge(ratio, promised),
    ]),
    isGood: figures.every(({ ratio, promised }) => isKept(ratio, promised)),
    graph: figures.map(({ name, all }) => toGraph(name, all)).join(''),
  };
}

/** A graph as Mermaid text, which a reader of the file sees drawn. */
function toGraph(name: string, all: number[]): string {
  const each = Math.max(1, Math.ceil(all.length / GRAPH_POINTS));
  const points = all.filter((_, at) => at % each === 0).map((value) => value.toFixed(1));
  const axes = `  x-axis "minutes" 0 --> ${minutes}\n  y-axis 0 --> ${(Math.max(...all) * 1.2).toFixed(1)}`;
  return `\n\`\`\`mermaid\nxychart-beta\n  title "${name}"\n${axes}\n  line [${points.join(', ')}]\n\`\`\`\n`;
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
