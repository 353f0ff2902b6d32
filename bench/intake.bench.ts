import { createDatabase } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Infra } from './filled-api.ts';
import { postFor } from './load.ts';
import type { Load } from './load.ts';
import { isKept, judge, say } from './report.ts';
import type { Report } from './report.ts';
import { startApi } from './running-api.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 64;

type Contender = 'ours' | 'plain';
type Intake = Record<Contender, { busy: Load; lone: Load }>;

/** Measures the intake with every feature beside the usual one. They take turns. Reports medians. */
export async function benchIntake(infra: Infra): Promise<Report[]> {
  const measured: Record<Contender, { busy: Load; lone: Load }[]> = { ours: [], plain: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of ['ours', 'plain'] as const) {
      measured[contender].push(
        await measure(infra, contender, `bench_intake_${round}_${process.pid}`),
      );
    }
  }
  const medians = (all: { busy: Load; lone: Load }[]) => ({
    busy: medianLoad(all.map(({ busy }) => busy)),
    lone: medianLoad(all.map(({ lone }) => lone)),
  });
  return [toReport({ ours: medians(measured.ours), plain: medians(measured.plain) })];
}

async function measure(
  infra: Infra,
  contender: Contender,
  name: string,
): Promise<{ busy: Load; lone: Load }> {
  const databaseUrl = await createTestDatabase(infra.databaseUrl, name);
  const db = createDatabase({ url: databaseUrl, maxConnections: 3, statementTimeoutMs: 3_600_000 });
  try {
    await migrateDatabase(db);
    await db.raw(
      'create table plain_leads (like leads including defaults including generated, primary key (id))',
    );
    await db.raw('create index on plain_leads (email); create index on plain_leads (submitted_at)');
    const server = await (contender === 'ours'
      ? startApi(
          { ...infra, databaseUrl },
          { RATE_LIMIT_LEADS_PER_MINUTE: '1000000', LOG_LEVEL: 'info' },
        )
      : startPlain({ ...infra, databaseUrl }));
    const url = `${server.url}/api/lead/subscribe`;
    let people = 0;
    const body = () => newSubmission(people++);
    try {
      await postFor(url, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS, body });
      const busy = await postFor(url, { connections: CONNECTIONS, seconds: SECONDS, body });
      const lone = await postFor(url, { connections: 1, seconds: SECONDS / 2, body });
      return { busy, lone };
    } finally {
      await server.close();
    }
  } finally {
    await db.destroy();
    await dropTestDatabase(infra.databaseUrl, name);
  }
}

async function startPlain({
  databaseUrl,
  redisUrl,
}: Infra): Promise<{ url: string; close(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('baseline/plain-intake.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
    },
  });
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

export const newSubmission = (n: number) => ({
  email: `subscriber${n}@company${n % 5_000}.example`,
  formType: n % 3 === 0 ? 'pre_sample' : 'pre_buy',
  fullName: 'Priya Raman',
  company: `Northgate Capital ${n % 5_000}`,
  phone: '+44 20 7946 0000',
  utmSource: 'nav_sub',
  utmMedium: 'website',
  utmCampaign: 'navigation_subscription',
  visitUtm: { source: 'linkedin', medium: 'paid', campaign: 'spring' },
  firstUtm: { source: 'google', medium: 'cpc', campaign: 'brand' },
  gclid: 'Cj0KCQiA1234567890abcdef',
  landingPage: 'https://site.example/?utm_source=linkedin',
  firstPage: 'https://site.example/',
  referrer: 'https://www.linkedin.com/',
  sessionId: '0f5c1c3e-2c55-4b0b-9f0e-8f3a4b0c9d1e',
  consentMarketing: true,
  consentTextVersion: '2025-12',
  clickedSubscribe: true,
  elapsedMs: 12_000,
});

function medianLoad(loads: Load[]): Load {
  const of = (pick: (load: Load) => number) =>
    loads.map(pick).sort((a, b) => a - b)[Math.floor(loads.length / 2)] ?? Number.NaN;
  return {
    perSecond: of((load) => load.perSecond),
    p50: of((load) => load.p50),
    p99: of((load) => load.p99),
    most: of((load) => load.most),
  };
}

/** Bounds of the intake, as ratios to the usual one. */
const PROMISES = [
  {
    name: 'leads a second ÷ the usual intake',
    atLeast: 1.1,
    of: ({ ours, plain }: Intake) => ours.busy.perSecond / plain.busy.perSecond,
  },
  {
    name: 'p99 ÷ the usual intake',
    atMost: 1.2,
    of: ({ ours, plain }: Intake) => ours.busy.p99 / plain.busy.p99,
  },
  {
    name: 'p50 of a lone request ÷ the usual intake',
    atMost: 1.3,
    of: ({ ours, plain }: Intake) => ours.lone.p50 / plain.lone.p50,
  },
];

function toReport(intake: Intake): Report {
  const promises = PROMISES.map(({ name, of, ...promised }) => ({
    name,
    value: of(intake),
    promised,
  }));
  return {
    name: 'intake',
    title: `Intake, ${CONNECTIONS} connections`,
    heads: ['', 'leads a second', 'p99, ms', 'p50 alone, ms', 'ratio', 'promise', ''],
    lines: [
      ...Object.entries(intake).map(([name, { busy, lone }]) => [
        name,
        say(busy.perSecond),
        say(busy.p99),
        say(lone.p50),
        '',
        '',
        '',
      ]),
      ...promises.map(({ name, value, promised }) => [
        name,
        '',
        '',
        '',
        say(value),
        ...judge(value, promised),
      ]),
    ],
    isGood: promises.every(({ value, promised }) => isKept(value, promised)),
  };
}
