import { newSubmission, postFor } from './load.ts';
import type { Load } from './load.ts';
import { onDatabase } from './databases.ts';
import { startApi, startBaseline } from './processes.ts';
import type { Infra } from './processes.ts';
import { medianOf, say } from './report.ts';
import type { Report } from './report.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 32;

const CONTENDERS = {
  ours: (infra: Infra) =>
    startApi(infra, { RATE_LIMIT_LEADS_PER_MINUTE: '1000000', LOG_LEVEL: 'info' }),
  plain: (infra: Infra) => startBaseline('plain-intake.ts', infra),
};
type Contender = keyof typeof CONTENDERS;

/**
 * Measures the intake with every feature beside the usual one. They take turns. Reports medians.
 */
export async function benchIntake(infra: Infra): Promise<Report[]> {
  const measured: Record<Contender, Load[]> = { ours: [], plain: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const contender of ['ours', 'plain'] as const)
      measured[contender].push(await measureIntake(infra, contender, round));
  }
  const toMedians = (loads: Load[]) => ({
    perSecond: medianOf(loads.map(({ perSecond }) => perSecond)),
    p99: medianOf(loads.map(({ p99 }) => p99)),
  });
  const [ours, plain] = [toMedians(measured.ours), toMedians(measured.plain)];
  const ratios = [
    {
      name: 'leads a second ÷ the usual intake',
      value: ours.perSecond / plain.perSecond,
      promised: { atLeast: 1.1 },
    },
    { name: 'p99 ÷ the usual intake', value: ours.p99 / plain.p99, promised: { atMost: 1.45 } },
  ];
  return [
    {
      name: 'intake',
      title: `Intake, ${CONNECTIONS} connections`,
      heads: ['leads a second', 'p99, ms', 'ratio'],
      figures: [
        ...Object.entries({ ours, plain }).map(([name, { perSecond, p99 }]) => ({
          name,
          value: perSecond,
          cells: [say(perSecond), say(p99), ''],
        })),
        ...ratios.map((ratio) => ({ ...ratio, cells: ['', '', say(ratio.value)] })),
      ],
    },
  ];
}

function measureIntake(infra: Infra, contender: Contender, round: number): Promise<Load> {
  return onDatabase(infra, `intake_${round}`, async (own, db) => {
    await db.raw(
      'create table plain_leads (like leads including defaults including generated, primary key (id))',
    );
    await db.raw('create index on plain_leads (email); create index on plain_leads (submitted_at)');
    const server = await CONTENDERS[contender](own);
    let people = 0;
    const options = { connections: CONNECTIONS, body: () => newSubmission(people++) };
    const url = `${server.url}/api/lead/subscribe`;
    try {
      await postFor(url, { ...options, seconds: WARM_UP_SECONDS });
      return await postFor(url, { ...options, seconds: SECONDS });
    } finally {
      await server.close();
    }
  });
}
