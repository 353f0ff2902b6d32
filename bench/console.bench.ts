import type { Database } from '@site/platform/database/connect';
import { benchCsv } from './csv.bench.ts';
import { onFilledApi } from './databases.ts';
import { measure } from './load.ts';
import type { Timing } from './load.ts';
import type { Infra, RunningApi } from './processes.ts';
import type { Report } from './report.ts';

const LEADS = Number(process.env['BENCH_LEADS'] ?? 1_000_000);
const LIST_BUDGET_MS = 50;
const SEARCH_BUDGET_MS = 300;
const ROUNDS = 100;

type Call = { name: string; address: (round: number) => string };

/**
 * The claim: with a million leads the console's lists feel immediate, and an export is nearly as
 * fast as Postgres.
 */
export function benchConsole(infra: Infra): Promise<Report[]> {
  return onFilledApi(infra, LEADS, async (api, db, databaseUrl) => {
    const timings = await measureCalls(api, db, LEADS);
    const console: Report = {
      name: 'console',
      title: `Console, ${LEADS.toLocaleString('en-GB')} leads (p95 in ms)`,
      heads: ['p95'],
      figures: [...timings].map(([name, { p95 }]) => ({
        name,
        value: p95,
        promised: { atMost: name.startsWith('search') ? SEARCH_BUDGET_MS : LIST_BUDGET_MS },
      })),
    };
    return [console, await benchCsv(api, databaseUrl, LEADS)];
  });
}

/** Times every call of the console. */
export async function measureCalls(
  api: RunningApi,
  db: Database,
  total: number,
): Promise<Map<string, Timing>> {
  const timings = new Map<string, Timing>();
  for (const { name, address } of consoleCalls(await readDeepCursor(db, total), total)) {
    timings.set(name, await measure((round) => api.get(address(round)), ROUNDS));
  }
  return timings;
}

function consoleCalls(deepCursor: string, total: number): Call[] {
  const list = (query: string) => `/api/admin/leads${query === '' ? '' : `?${query}`}`;
  const search = (words: string) => list(`search=${encodeURIComponent(words)}`);
  return [
    { name: 'list, first page', address: () => list('') },
    {
      name: 'list, filtered',
      address: () => list('formType=pre_sample&status=failed'),
    },
    {
      name: 'list, of some days',
      address: (n) => list(`startDate=${dayAgo(30 + n)}&endDate=${dayAgo(n)}`),
    },
    { name: 'list, oldest first', address: () => list('sort=oldest') },
    { name: 'list, deep', address: () => list(`cursor=${deepCursor}`) },
    // A different person each time, so that no answer comes from a cache.
    {
      name: 'search, one email',
      address: (n) => search(`${Math.max(1, Math.floor((total * (n + 1)) / 200))}@`),
    },
    {
      name: 'search, a common name',
      address: (n) => search(['amelia', 'priya', 'oliver', 'hannah', 'marta'][n % 5] ?? ''),
    },
    {
      name: 'search, a company',
      address: (n) => search(`kestrel ${7 * n + 6}`),
    },
    {
      name: 'search, two letters',
      address: (n) => search(['ch', 'ke', 'is', 'mo'][n % 4] ?? ''),
    },
    { name: 'search, nothing', address: (n) => search(`zzyzx${n}`) },
    {
      name: 'search with filters',
      address: () => list('search=thorn&formType=pre_buy&status=failed'),
    },
  ];
}

const dayAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Returns the cursor of the middle of the list, in the API's format. */
async function readDeepCursor(db: Database, total: number): Promise<string> {
  const { rows } = await db.raw(
    `select to_char(submitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, id from leads
     order by submitted_at desc, id desc limit 1 offset ?`,
    [Math.floor(total / 2)],
  );
  return Buffer.from(JSON.stringify([rows[0].at, rows[0].id])).toString('base64url');
}
