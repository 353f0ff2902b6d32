import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import { londonDate } from '@site/schema/calendar';
import type { LeadExportQuery } from '@site/schema/admin';
import { lead } from '@site/schema/stored-lead';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { whereLeads } from './lead-filter.ts';

/** A slower download is cut off, so that it does not hold a connection forever. */
const MAX_DOWNLOAD_MS = 15 * 60_000;
const FIELDS = Object.keys(lead.shape);

/**
 * `+1-202-555-0100` is a phone number to a person but -856 to Excel, unless a space or bracket separates its digits,
 * too.
 */
const isPhone = (text: string) => /^\+[\d\s().-]+$/.test(text) && (!text.includes('-') || /\d[\s()]+\d/.test(text));

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula. A phone number stays as it is, unless a
 * spreadsheet would calculate it.
 */
export function guardFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/u.test(text) && !isPhone(text) ? `'${text}` : text;
}

/**
 * Converts rows to the file: RFC 4180, with a byte-order mark and every field of a lead. All text is quoted, so that
 * neither a line break nor any separator ends a cell. Column names are not quoted, because some programs fail on a
 * quote right after the mark.
 */
export const createSheet = () =>
  stringify({
    bom: true,
    header: true,
    columns: FIELDS,
    record_delimiter: 'windows',
    quoted_string: true,
    cast: {
      string: (text, { header }) => (header ? { value: text, quoted_string: false } : guardFormula(text)),
      date: (at) => at.toISOString(),
      boolean: String,
    },
  });

function fileName(filter: LeadExportQuery, today: string): string {
  const { formType, status, subscriber, source, checkout, startDate, endDate, stage, error, search, ids, ...others } =
    filter;
  // Does not compile with a filter that has no part below.
  others satisfies Record<string, never>;
  const parts = [
    'leads',
    formType,
    status,
    subscriber,
    source && 'source',
    checkout && 'checkout-abandoned',
    startDate && `from-${startDate}`,
    endDate && `to-${endDate}`,
    stage,
    error && 'error',
    search && 'search',
    ids && 'selected',
    today,
  ];
  return `${parts.filter(Boolean).join('-')}.csv`;
}

/**
 * Streams every lead of the filter from one statement, which is one snapshot, in constant memory. Throws a fault that
 * comes before the first row. A later one ends the connection, so that a broken download never looks complete.
 */
export async function sendLeadsCsv(
  { exportDb, clock }: { exportDb: Database; clock: Clock },
  { ids, ...filter }: LeadExportQuery,
  res: Response,
  tooLate = AbortSignal.timeout(MAX_DOWNLOAD_MS),
): Promise<void> {
  const query = whereLeads(exportDb, exportDb('leads'), filter)
    .select(FIELDS)
    .orderBy([
      { column: 'submittedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
  if (ids) void query.whereIn('id', ids);
  const rows = query.stream({ highWaterMark: 500 });
  // Before the first row, a database fault is still answered as a problem.
  await once(rows, 'readable');
  res.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName({ ...filter, ids }, londonDate(clock.now()))}"`,
  });
  await pipeline(rows, createSheet(), res, { signal: tooLate });
}
