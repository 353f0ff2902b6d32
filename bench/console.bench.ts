import type { Database } from '@site/platform/database/connect';
import { OFFSET_AND_COUNT } from './baseline/offset-and-count.ts';
import { benchCsv, benchIntakeBesideCsv, toCsvReport } from './csv.bench.ts';
import { onFilledApi } from './filled-api.ts';
import type { Infra } from './filled-api.ts';
import { measure } from './measure.ts';
import type { Timing } from './measure.ts';
import { isKept, judge, say } from './report.ts';
import type { Report } from './report.ts';
import type { RunningApi } from './running-api.ts';

const SMALL = 10_000;
const LARGE = Number(process.env['BENCH_LEADS'] ?? 1_000_000);
const LIST_BUDGET_MS = 25;
const COUNTERS_BUDGET_MS = 15;
const SEARCH_BUDGET_MS = 300;
const ROUNDS = 100;
const BASELINE_ROUNDS = 5;

type Call = { name: string; budgetMs: number | null; address: (round: number) => string };

/** The claim: with a million leads the console's calls are fast enough to feel immediate, and an export is as fast as Postgres. */
export async function benchConsole(infra: Infra): Promise<Report[]> {
  const small = await onFilledApi(infra, SMALL, (api, db) => measureCalls(api, db, SMALL));
  return onFilledApi(infra, LARGE, async (api, db, databaseUrl) => {
    const large = await measureCalls(api, db, LARGE);
    const csv = await benchCsv(api, databaseUrl);
    const baseline = await measureBaseline(db, LARGE);
    const intake = await benchIntakeBesideCsv(api, databaseUrl, LARGE);
    return [toReport({ small, large, baseline }), toCsvReport(csv, LARGE), intake];
  });
}

function toReport({
  small,
  large,
  baseline,
}: Record<'small' | 'large' | 'baseline', Map<string, Timing>>): Report {
  const calls = consoleCalls('', LARGE).map(({ name, budgetMs }) => ({
    name,
    promised: budgetMs === null ? {} : { atMost: budgetMs },
    p95: large.get(name)?.p95 ?? Number.NaN,
  }));
  return {
    name: 'console',
    title: `Console, ${LARGE.toLocaleString('en-GB')} leads (p95 in ms)`,
    heads: [
      'call',
      'p95',
      `${SMALL.toLocaleString('en-GB')} leads`,
      'offset and count',
      'promise',
      '',
    ],
    lines: calls.map(({ name, promised, p95 }) => [
      name,
      say(p95),
      say(small.get(name)?.p95),
      say(baseline.get(name)?.p95),
      ...judge(p95, promised),
    ]),
    isGood: calls.every(({ p95, promised }) => isKept(p95, promised)),
  };
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
    { name: 'list, first page', budgetMs: LIST_BUDGET_MS, address: () => list('') },
    {
      name: 'list, filtered',
      budgetMs: LIST_BUDGET_MS,
      address: () => list('formType=pre_sample&status=failed'),
    },
    {
      name: 'list, of some days',
      budgetMs: LIST_BUDGET_MS,
      address: (n) => list(`startDate=${dayAgo(30 + n)}&endDate=${dayAgo(n)}`),
    },
    { name: 'list, oldest first', budgetMs: LIST_BUDGET_MS, address: () => list('sort=oldest') },
    { name: 'list, deep', budgetMs: LIST_BUDGET_MS, address: () => list(`cursor=${deepCursor}`) },
    { name: 'counters', budgetMs: COUNTERS_BUDGET_MS, address: () => '/api/admin/leads/counts' },
    {
      name: 'counters, filtered',
      budgetMs: COUNTERS_BUDGET_MS,
      address: (n) => `/api/admin/leads/counts?formType=pre_buy&startDate=${dayAgo(60 + n)}`,
    },
    // A different person each time, so that no answer comes from a cache.
    {
      name: 'search, one address',
      budgetMs: SEARCH_BUDGET_MS,
      address: (n) => search(`${Math.max(1, Math.floor((total * (n + 1)) / 200))}@`),
    },
    {
      name: 'search, a common name',
      budgetMs: SEARCH_BUDGET_MS,
      address: (n) => search(['amelia', 'priya', 'oliver', 'hannah', 'marta'][n % 5] ?? ''),
    },
    {
      name: 'search, a company',
      budgetMs: SEARCH_BUDGET_MS,
      address: (n) => search(`kestrel ${7 * n + 6}`),
    },
    {
      name: 'search, two letters',
      budgetMs: SEARCH_BUDGET_MS,
      address: (n) => search(['ch', 'ke', 'is', 'mo'][n % 4] ?? ''),
    },
    { name: 'search, nothing', budgetMs: SEARCH_BUDGET_MS, address: (n) => search(`zzyzx${n}`) },
    {
      name: 'search with filters',
      budgetMs: SEARCH_BUDGET_MS,
      address: () => list('search=thorn&formType=pre_buy&status=failed'),
    },
    { name: 'charts', budgetMs: null, address: () => '/api/admin/charts' },
    {
      name: 'charts, filtered',
      budgetMs: null,
      address: () => '/api/admin/charts?formType=pre_buy&status=sent',
    },
  ];
}

async function measureBaseline(db: Database, total: number): Promise<Map<string, Timing>> {
  const timings = new Map<string, Timing>();
  for (const [name, call] of Object.entries(OFFSET_AND_COUNT)) {
    timings.set(name, await measure(() => call(db, total), BASELINE_ROUNDS));
  }
  return timings;
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
