import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { londonDate } from '@site/schema/calendar';
import type { LeadExportQuery } from '@site/schema/calls/leads';
import type { Response } from 'express';
import { once } from 'node:events';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeLiteral } from 'pg';
import type { Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { CSV_HEAD, toCopySql } from './lead-csv-cells.ts';
import { whereLeads } from './lead-filter.ts';

/** A slower download is cut off, so that it does not hold a connection forever. */
const MAX_DOWNLOAD_MS = 15 * 60_000;

function fileName(filter: LeadExportQuery, today: string): string {
  const {
    formType,
    status,
    subscriber,
    source,
    without,
    checkout,
    startDate,
    endDate,
    stage,
    error,
    retryRun,
    search,
    ids,
    ...others
  } = filter;
  // Does not compile with a filter that has no part below.
  others satisfies Record<string, never>;
  const parts = [
    'leads',
    formType,
    status,
    subscriber,
    source && 'source',
    without && 'without-source',
    checkout && 'checkout-abandoned',
    startDate && `from-${startDate}`,
    endDate && `to-${endDate}`,
    stage,
    error && 'error',
    retryRun && 'retry',
    search && 'search',
    ids && 'selected',
    today,
  ];
  return `${parts.filter(Boolean).join('-')}.csv`;
}

/** Ends rows with CR and LF, as RFC 4180 wants. Postgres ends them with LF. Line breaks inside quotes stay as they are. */
export function createRowEnds(): Transform {
  const [quote, lineFeed, rowEnd] = ['"'.charCodeAt(0), '\n'.charCodeAt(0), Buffer.from('\r\n')];
  let isQuoted = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const parts: Buffer[] = [];
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at];
        if (byte === quote) isQuoted = !isQuoted;
        else if (byte === lineFeed && !isQuoted) {
          parts.push(chunk.subarray(from, at), rowEnd);
          from = at + 1;
        }
      }
      // One piece at a time: leads that arrive during a long export get their turn in between.
      setImmediate(done, null, Buffer.concat([...parts, chunk.subarray(from)]));
    },
  });
}

type ExportDeps = { db: Database; exportPool: Pool; clock: Clock };

/**
 * Streams every lead of the filter from one statement, which is one snapshot, in constant memory: Postgres writes the
 * rows. Throws a fault that comes before the first row. A later one ends the connection, so that a broken download never
 * looks complete. The statement ends with the download.
 */
export async function sendLeadsCsv(
  { db, exportPool, clock }: ExportDeps,
  { ids, ...filter }: LeadExportQuery,
  res: Response,
  tooLate = AbortSignal.timeout(MAX_DOWNLOAD_MS),
): Promise<void> {
  const leads = whereLeads(db, db('leads'), filter);
  if (ids) void leads.whereIn('id', ids);
  const client = await exportPool.connect();
  const { rows: backend } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  let isWhole = false;
  const gone = new AbortController();
  const leave = () => gone.abort();
  res.once('close', leave);
  try {
    const rows = client.query(copyTo(toCopySql(withValues(leads))));
    // Before the first row, a database fault is still answered as a problem.
    await once(rows, 'readable', { signal: gone.signal });
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName({ ...filter, ids }, londonDate(clock.now()))}"`,
    });
    res.write(CSV_HEAD);
    await pipeline(rows, createRowEnds(), res, { signal: tooLate });
    isWhole = true;
  } finally {
    res.off('close', leave);
    client.release(!isWhole);
    if (!isWhole) await db.raw('select pg_cancel_backend(?)', [backend[0]?.pid ?? null]);
  }
}

/** Writes the bound values into a statement: COPY takes no parameters. The driver quotes them. */
function withValues(leads: ReturnType<Database>): string {
  const { sql, bindings } = leads.select('leads.*').toSQL().toNative();
  const values = bindings as readonly (string | number)[];
  return sql.replaceAll(/\$(\d+)/g, (_, n: string) => escapeLiteral(`${values[Number(n) - 1]}`));
}
