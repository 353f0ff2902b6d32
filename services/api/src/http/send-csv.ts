import type { Database } from '@site/platform/database/connect';
import type { Response } from 'express';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { escapeLiteral } from 'pg';
import type { Pool } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { Transform } from 'node:stream';

/** A slower download is cut off, so that it does not hold a connection forever. */
const MAX_DOWNLOAD_MS = 15 * 60_000;

/**
 * `head` has the columns' names, with a byte-order mark. `copy` builds the COPY statement for the
 * rows that `rows` selects. It must quote all text, because only quoted cells are guarded.
 */
export type Csv = {
  fileName: string;
  head: string;
  rows: QueryBuilder;
  copy: (sql: string) => string;
};
type QueryBuilder = { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } };

/**
 * Streams a CSV from one statement, which is one snapshot, in constant memory. Throws a failure
 * before the first row. A later failure ends the connection, so that a broken download never looks
 * complete. The statement ends with the download.
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
    // Before the first row, a database failure is answered as a problem.
    await once(rows, 'readable', { signal: gone.signal });
    // From here on the pipeline watches the connection.
    res.off('close', leave);
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${fileName}"`,
    });
    // The pipeline adds seven listeners to the app's.
    res.setMaxListeners(20);
    res.write(head);
    await pipeline(rows, createCsvRows(), res, { signal: tooLate });
    isWhole = true;
  } finally {
    client.release(!isWhole);
    if (!isWhole) await db.raw('select pg_cancel_backend(?)', [backend[0]?.pid ?? null]);
  }
}

/**
 * Writes the bound values into a statement, because COPY takes no parameters. The driver quotes
 * them.
 */
function withValues(rows: QueryBuilder): string {
  const { sql, bindings } = rows.toSQL().toNative();
  const values = bindings as readonly (string | number | null)[];
  return sql.replaceAll(/\$(\d+)/g, (_, n: string) => {
    const value = values[Number(n) - 1];
    return value === null ? 'null' : escapeLiteral(`${value}`);
  });
}

/** First byte of the full-width signs in UTF-8. */
const FULL_WIDTH = 0xef;
/** Matches text that begins as a formula, or may be split into a cell that does. */
const SUSPECT = /^[\t\n\r=+@＋－＝＠-]|[;\t\n\r]/u;
const FORMULA = /^[\t\n\r=+@＋－＝＠-]/u;
const FORMULA_AFTER_SPLIT = /([;\t\n\r][\s"']*)([=@＋－＝＠-]|\+[0-9 ()]*[^0-9 ();\t\n\r])/gu;
/**
 * Matches phone numbers. Excel calculates +1-202-555-0100 as -856, unless a space or bracket
 * separates digits too.
 */
const PHONE = /^\+(?=[^-]*$|.*[0-9][ ()]+[0-9])(?=.*[0-9])[0-9 ().-]*$/u;

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula, even where it splits a
 * cell at semicolons, tabs or line breaks. Phone numbers stay as they are (rule 4.4).
 */
export function guardFormula(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const apostrophe = FORMULA.test(text) && !PHONE.test(text) ? "'" : '';
  return apostrophe + text.replaceAll(FORMULA_AFTER_SPLIT, "$1'$2");
}

const [QUOTE, LINE_FEED, ROW_END] = ['"'.charCodeAt(0), '\n'.charCodeAt(0), Buffer.from('\r\n')];
const tableOf = (isTrue: (byte: number) => boolean) =>
  Array.from({ length: 256 }, (_, byte) => isTrue(byte));
const beginsFormula = tableOf(
  (byte) => byte === FULL_WIDTH || '\t\n\r=+@-'.includes(String.fromCharCode(byte)),
);
const splitsCell = tableOf((byte) => ';\t\n\r'.includes(String.fromCharCode(byte)));

/**
 * Turns Postgres's CSV into rows for a spreadsheet: quoted text is no formula, and rows end with CR
 * and LF, as RFC 4180 requires. Line breaks inside quotes stay unchanged.
 */
export function createCsvRows(): Transform {
  let isQuoted = false;
  let begun: Buffer[] = [];
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let end = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at];
        if (byte === QUOTE) isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) end = at + 1;
      }
      const rows = end === 0 ? [] : guardRows(Buffer.concat([...begun, chunk.subarray(0, end)]));
      begun = end === 0 ? [...begun, chunk] : [chunk.subarray(end)];
      // One piece at a time, so that leads can be stored during a long export.
      setImmediate(done, null, Buffer.concat(rows));
    },
  });
}

/**
 * Cuts whole rows into pieces with guarded cells and row ends. Reads bytes, because decoding them
 * takes twice as long.
 */
function guardRows(rows: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = 0; at < rows.length; at++) {
    if (rows[at] === LINE_FEED) {
      pieces.push(rows.subarray(from, at), ROW_END);
      from = at + 1;
    } else if (rows[at] === QUOTE) {
      const start = at + 1;
      let isSuspect = beginsFormula[rows[start] ?? 0];
      for (at = start; rows[at] !== QUOTE || rows[at + 1] === QUOTE; at++) {
        // A quote within the text is doubled.
        if (rows[at] === QUOTE) at++;
        else isSuspect ||= splitsCell[rows[at] ?? 0];
      }
      if (!isSuspect) continue;
      const text = rows.toString('utf8', start, at);
      pieces.push(rows.subarray(from, start), Buffer.from(guardFormula(text)));
      from = at;
    }
  }
  return pieces;
}
