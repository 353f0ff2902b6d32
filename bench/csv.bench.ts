import { listLeadFields } from '@site/schema/lead-fields';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { RunningApi } from './processes.ts';
import type { Report } from './report.ts';

/** Room for the stream's buffers, whose size does not depend on the number of rows. */
const MAX_GROWTH_MEGABYTES = 64;
const MIN_OF_COPY = 0.45;

/**
 * The claim: the whole table is exported as one file, nearly as fast as Postgres can. The API's
 * memory does not grow.
 */
export async function benchCsv(
  api: RunningApi,
  databaseUrl: string,
  total: number,
): Promise<Report> {
  const copySeconds = await measureCopy(databaseUrl);
  const before = readResident(api.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, readResident(api.pid))), 50);
  const startedAt = performance.now();
  let bytes = 0;
  let lines = 0;
  for await (const chunk of await api.open('/api/admin/leads/export/csv')) {
    bytes += chunk.byteLength;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  clearInterval(watch);
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    name: total > 1_000_000 ? 'csv-ten-million' : 'csv',
    title: `CSV of ${total.toLocaleString('en-GB')} leads, downloaded over HTTP`,
    heads: ['value'],
    figures: [
      { name: 'rows', value: lines - 1, promised: { atLeast: total, atMost: total } },
      { name: 'MB', value: bytes / 1e6 },
      { name: 'seconds', value: seconds },
      {
        name: 'rows a second ÷ COPY of the same columns',
        value: copySeconds / seconds,
        promised: { atLeast: MIN_OF_COPY },
      },
      {
        name: 'growth of the API’s memory, MB',
        value: (most - before) / 1e6,
        promised: { atMost: MAX_GROWTH_MEGABYTES },
      },
    ],
  };
}

async function measureCopy(databaseUrl: string): Promise<number> {
  const columns = listLeadFields().map(({ name }) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
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
