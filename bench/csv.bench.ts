import { readFileSync } from 'node:fs';
import type { RunningApi } from './running-api.ts';

export type CsvResult = { rows: number; megabytes: number; seconds: number; growthMegabytes: number };

/** The claim: the whole table is exported as one file, and the API's memory does not grow with it. */
export async function benchCsv(api: RunningApi): Promise<CsvResult> {
  const before = readResident(api.pid);
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, readResident(api.pid))), 50);
  const startedAt = performance.now();
  const answer = await api.open('/api/admin/leads/export/csv');
  let bytes = 0;
  let lines = 0;
  for await (const chunk of answer) {
    bytes += chunk.byteLength;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  clearInterval(watch);
  return {
    rows: lines - 1,
    megabytes: bytes / 1e6,
    seconds: (performance.now() - startedAt) / 1_000,
    growthMegabytes: (most - before) / 1e6,
  };
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
