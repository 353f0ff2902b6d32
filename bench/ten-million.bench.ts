import type { Database } from '@site/platform/database/connect';
import { migrateDatabase, readSchema } from '@site/platform/database/migrate';
import { measureCalls } from './console.bench.ts';
import { benchCsv } from './csv.bench.ts';
import { onFilledApi } from './databases.ts';
import { fillMoney } from './fill-money.ts';
import { newSubmission, postFor, postUntil } from './load.ts';
import type { Load, Timing } from './load.ts';
import { benchOwner } from './owner.bench.ts';
import type { Infra, RunningApi } from './processes.ts';
import { say } from './report.ts';
import type { Promised, Report } from './report.ts';

const SMALL = 10_000;
const LARGE = Number(process.env['BENCH_TEN_MILLION'] ?? 10_000_000);
const CONNECTIONS = 4;
/** These figures must not depend on the number of leads. */
const STEADY = new Set(['list, first page', 'list, filtered', 'list, deep']);
const MAX_RATIO = 2;
const MAX_SEARCH_MS = 100;

/**
 * The claim: with ten million leads and a million payments the console answers as with ten thousand
 * leads. The owner waits for nothing, and an index can be added while leads arrive.
 */
export async function benchTenMillion(infra: Infra): Promise<Report[]> {
  const small = await onFilledApi(infra, SMALL, async (api, db) => {
    await fillMoney(db);
    return measureCalls(api, db, SMALL);
  });
  return onFilledApi(infra, LARGE, async (api, db, databaseUrl) => {
    await fillMoney(db);
    const large = await measureCalls(api, db, LARGE);
    return [
      toReport(small, large),
      await benchCsv(api, databaseUrl, LARGE),
      await benchOwner(api, db, LARGE),
      await addIndex(api, db),
    ];
  });
}

function toReport(small: Map<string, Timing>, large: Map<string, Timing>): Report {
  return {
    name: 'ten-million',
    title: `Console, ${LARGE.toLocaleString('en-GB')} leads beside ${SMALL.toLocaleString('en-GB')} (ms)`,
    heads: ['median', 'p95', 'median ÷ that of the few'],
    figures: [...large].map(([name, { p50, p95 }]) => {
      const ratio = p50 / (small.get(name)?.p50 ?? Number.NaN);
      const value = STEADY.has(name) ? ratio : p95;
      return { name, value, cells: [p50, p95, ratio].map(say), promised: promiseOf(name) };
    }),
  };
}

/** Returns the promise of a call: a ratio if it is steady, else a p95. */
function promiseOf(name: string): Promised {
  if (STEADY.has(name)) return { atMost: MAX_RATIO };
  return name.startsWith('search') ? { atMost: MAX_SEARCH_MS } : {};
}

/** Builds an index while leads arrive. `postUntil` throws if a lead is refused. */
async function addIndex(api: RunningApi, db: Database): Promise<Report> {
  const url = `${api.url}/api/lead/subscribe`;
  let people = LARGE;
  const options = { connections: CONNECTIONS, body: () => newSubmission(people++) };
  const before = await postFor(url, { ...options, seconds: 8 });
  const startedAt = performance.now();
  const schema = readSchema();
  schema.migrations['9999_leads_by_city'] =
    'create index concurrently leads_by_city on leads (city);';
  const migrated = migrateDatabase(db, { schema });
  const during = await postUntil(url, { ...options, end: migrated });
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    name: 'index-ten-million',
    title: `Adding an index to ${LARGE.toLocaleString('en-GB')} leads in ${seconds.toFixed(0)} s, while others arrive: none refused`,
    heads: ['leads a second', 'p50, ms', 'p99, ms', 'longest, ms'],
    figures: Object.entries({ before, during }).map(([name, load]: [string, Load]) => ({
      name,
      value: load.perSecond,
      cells: [load.perSecond, load.p50, load.p99, load.most].map(say),
    })),
  };
}
