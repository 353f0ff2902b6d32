import { listLeadFields } from '@site/schema/lead-fields';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { newSubmission } from './intake.bench.ts';
import { LOAD_HEADS, postFor, postUntil, toLoadLine } from './load.ts';
import { isKept, judge, say } from './report.ts';
import type { Report } from './report.ts';
import type { RunningApi } from './running-api.ts';

/** Room for the stream's buffers, whose size does not depend on the number of rows. */
const MAX_GROWTH_MEGABYTES = 64;
const MIN_OF_COPY = 0.45;
/** A busy site's: the API has time left. */
const CONNECTIONS = 4;

export type CsvResult = {
  rows: number;
  megabytes: number;
  seconds: number;
  growthMegabytes: number;
  /** Rows a second, as a share of those that Postgres's own COPY of the same columns gives to a client. */
  ofCopy: number;
};

/** The claim: the whole table is exported as one file, nearly as fast as Postgres can, and the API's memory does not grow with it. */
export async function benchCsv(api: RunningApi, databaseUrl: string): Promise<CsvResult> {
  const copySeconds = await measureCopy(databaseUrl);
  const before = readResident(api.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, readResident(api.pid))), 50);
  const startedAt = performance.now();
  const answer = await api.open('/api/admin/leads/export/csv');
  let bytes = 0;
  let lines = 0;
  for await (const chunk of answer) {
    bytes += chunk.byteLength;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  clearInterval(watch);
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    rows: lines - 1,
    megabytes: bytes / 1e6,
    seconds,
    growthMegabytes: (most - before) / 1e6,
    ofCopy: copySeconds / seconds,
  };
}

/** The claim: an export takes no more from the intake than Postgres's own COPY for another client does. */
export async function benchIntakeBesideCsv(
  api: RunningApi,
  databaseUrl: string,
  total: number,
): Promise<Report> {
  const url = `${api.url}/api/lead/subscribe`;
  let people = total;
  const options = { connections: CONNECTIONS, body: () => newSubmission(people++) };
  await postFor(url, { ...options, seconds: 3 });
  const alone = await postFor(url, { ...options, seconds: 8 });
  const download = async () => {
    for await (const chunk of await api.open('/api/admin/leads/export/csv')) void chunk;
  };
  const besideCsv = await postUntil(url, { ...options, end: download() });
  const besideCopy = await postUntil(url, { ...options, end: measureCopy(databaseUrl) });
  const ratio = besideCsv.p99 / besideCopy.p99;
  return {
    name: 'csv-intake',
    title: `Intake on ${CONNECTIONS} connections beside the CSV of ${total.toLocaleString('en-GB')} leads`,
    heads: LOAD_HEADS,
    lines: [
      toLoadLine('alone', alone),
      toLoadLine('beside the CSV', besideCsv),
      toLoadLine('beside a COPY by another client', besideCopy),
      ['p99 beside the CSV ÷ beside the COPY', '', '', say(ratio), ''],
    ],
    isGood: true,
  };
}

async function measureCopy(databaseUrl: string): Promise<number> {
  // `correctedFrom` is read from the other lead.
  const columns = listLeadFields()
    .map(({ name }) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    .filter((name) => name !== 'corrected_from');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const startedAt = performance.now();
  const copy = client.query(
    copyTo(
      `copy (select ${columns.join(', ')} from leads order by submitted_at desc, id desc) to stdout (format csv)`,
    ),
  );
  copy.resume();
  await once(copy, 'end');
  const seconds = (performance.now() - startedAt) / 1_000;
  await client.end();
  return seconds;
}

/** Reads a process's resident memory in bytes. Returns 0 except on Linux. */
function readResident(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

export function toCsvReport(
  { rows, megabytes, seconds, growthMegabytes, ofCopy }: CsvResult,
  total: number,
): Report {
  const figures = [
    { name: 'rows', value: rows, promised: { atLeast: total, atMost: total } },
    { name: 'MB', value: megabytes, promised: {} },
    { name: 'seconds', value: seconds, promised: {} },
    {
      name: 'rows a second ÷ COPY of the same columns',
      value: ofCopy,
      promised: { atLeast: MIN_OF_COPY },
    },
    {
      name: 'growth of the API’s memory, MB',
      value: growthMegabytes,
      promised: { atMost: MAX_GROWTH_MEGABYTES },
    },
  ];
  return {
    name: total > 1_000_000 ? 'csv-ten-million' : 'csv',
    title: `CSV of ${total.toLocaleString('en-GB')} leads, downloaded over HTTP`,
    heads: ['', 'value', 'promise', ''],
    lines: figures.map(({ name, value, promised }) => [
      name,
      say(value),
      ...judge(value, promised),
    ]),
    isGood: figures.every(({ value, promised }) => isKept(value, promised)),
  };
}
