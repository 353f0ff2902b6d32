import type { Database } from '@site/platform/database/connect';
import type { Response } from 'express';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { escapeLiteral } from 'pg';
import type { Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { createCsvRows } from './csv-rows.ts';

/** A slower download is cut off, so that it does not hold a connection forever. */
const MAX_DOWNLOAD_MS = 15 * 60_000;

/**
 * `head` are the columns' names, with a byte-order mark. `copy` makes the COPY statement of the
 * rows that `rows` selects: all text is quoted, because only quoted cells are guarded.
 */
export type Csv = {
  fileName: string;
  head: string;
  rows: QueryBuilder;
  copy: (sql: string) => string;
};
type QueryBuilder = { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } };

/**
 * Streams a CSV from one statement, which is one snapshot, in constant memory: Postgres writes the
 * rows. Throws a fault before the first row. A later fault ends the connection, so that a broken
 * download never looks complete. The statement ends with the download.
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
    // The pipeline adds seven listeners to those of the app.
    res.setMaxListeners(20);
    res.write(head);
    await pipeline(rows, createCsvRows(), res, { signal: tooLate });
    isWhole = true;
  } finally {
    client.release(!isWhole);
    if (!isWhole) await db.raw('select pg_cancel_backend(?)', [backend[0]?.pid ?? null]);
  }
}

/** Writes the bound values into a statement: COPY takes no parameters. The driver quotes them. */
function withValues(rows: QueryBuilder): string {
  const { sql, bindings } = rows.toSQL().toNative();
  const values = bindings as readonly (string | number | null)[];
  return sql.replaceAll(/\$(\d+)/g, (_, n: string) => {
    const value = values[Number(n) - 1];
    return value === null ? 'null' : escapeLiteral(`${value}`);
  });
}
