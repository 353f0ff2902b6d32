import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import { londonDate } from '@site/schema/calendar';
import type { LeadFilter } from '@site/schema/admin';
import { lead } from '@site/schema/stored-lead';
import { stringify } from 'csv-stringify';
import type { Response } from 'express';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { whereLeads } from './lead-filter.ts';

/** A subscriber who takes longer is cut off, so that a connection is not held for ever. */
const MAX_DOWNLOAD_MS = 15 * 60_000;
const FIELDS = Object.keys(lead.shape);

/** `+1-202-555-0100` is a phone number to a person and -856 to Excel, unless a space or bracket parts its digits too. */
const isPhone = (text: string) => /^\+[\d\s().-]+$/.test(text) && (!text.includes('-') || /\d[\s()]+\d/.test(text));

/**
 * Text that a spreadsheet would run as a formula gets an apostrophe in front; a phone number stays as it is, unless
 * its hyphens would be worked out.
 */
export function guardFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/u.test(text) && !isPhone(text) ? `'${text}` : text;
}

/**
 * Turns rows into the file's text: RFC 4180, with a byte-order mark, every field of a lead and nothing else. Every text
 * is quoted: a line break of either kind must not end a row, and a semicolon or a tab no cell, whatever a
 * spreadsheet takes for a separator. The names of the columns are not, as some subscribers stumble over a
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

function fileName(filter: LeadFilter, today: string): string {
  const parts = [
    'leads',
    filter.formType,
    filter.status,
    filter.checkout && 'checkout-abandoned',
    filter.startDate && `from-${filter.startDate}`,
    filter.endDate && `to-${filter.endDate}`,
    filter.search && 'search',
    today,
  ];
  return `${parts.filter(Boolean).join('-')}.csv`;
}

/**
 * Streams every lead of the filter: one statement, so one snapshot, with memory that does not grow with
 * the rows. Throws what goes wrong before the first row; a fault after that ends the connection, so the download is
 * broken and never looks whole.
 */
export async function sendLeadsCsv(
  { exportDb, clock }: { exportDb: Database; clock: Clock },
  filter: LeadFilter,
  res: Response,
  tooLate = AbortSignal.timeout(MAX_DOWNLOAD_MS),
): Promise<void> {
  const query = whereLeads(exportDb, exportDb('leads'), filter)
    .select(FIELDS)
    .orderBy([
      { column: 'submittedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ]);
  const rows = query.stream({ highWaterMark: 500 });
  // Until it has started to answer, a database that is away is an answer in words like everywhere else.
  await once(rows, 'readable');
  res.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName(filter, londonDate(clock.now()))}"`,
  });
  await pipeline(rows, createSheet(), res, { signal: tooLate });
}
