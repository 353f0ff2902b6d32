import type { Database } from '@site/platform/database/connect';
import type { Response } from 'express';
import { once } from 'node:events';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeLiteral } from 'pg';
import type { Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** A slower download is cut off, so that it does not hold a connection forever. */
const MAX_DOWNLOAD_MS = 15 * 60_000;

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

/** `head` are the names of the columns, with a byte-order mark. `copy` makes the COPY statement of the rows that `rows` selects. */
export type Csv = {
  fileName: string;
  head: string;
  rows: QueryBuilder;
  copy: (sql: string) => string;
};
type QueryBuilder = { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } };

/**
 * Streams a CSV from one statement, which is one snapshot, in constant memory: Postgres writes the rows. Throws a fault
 * that comes before the first row. A later one ends the connection, so that a broken download never looks complete. The
 * statement ends with the download.
 */
export async function sendCsv(
  { db, exportPool }: { db: Database; exportPool: Pool },
  { fileName, head, rows: selected, copy }: Csv,
  res: Response,
  tooLate = AbortSignal.timeout(MAX_DOWNLOAD_MS),
): Promise<void> {
  const client = await exportPool.connect();
  const { rows: backend } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  let isWhole = false;
  const gone = new AbortController();
  const leave = () => gone.abort();
  res.once('close', leave);
  try {
    const rows = client.query(copyTo(copy(withValues(selected))));
    // Before the first row, a database fault is still answered as a problem.
    await once(rows, 'readable', { signal: gone.signal });
    // From here on the pipeline watches the connection.
    res.off('close', leave);
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    });
    res.write(head);
    await pipeline(rows, createRowEnds(), res, { signal: tooLate });
    isWhole = true;
  } finally {
    client.release(!isWhole);
    if (!isWhole) await db.raw('select pg_cancel_backend(?)', [backend[0]?.pid ?? null]);
  }
}

/** Writes the bound values into a statement: COPY takes no parameters. The driver quotes them. */
function withValues(rows: QueryBuilder): string {
  const { sql, bindings } = rows.toSQL().toNative();
  const values = bindings as readonly (string | number)[];
  return sql.replaceAll(/\$(\d+)/g, (_, n: string) => escapeLiteral(`${values[Number(n) - 1]}`));
}
