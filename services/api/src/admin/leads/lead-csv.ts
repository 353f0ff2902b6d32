import type { Clock } from '@site/platform/process/clock';
import { toSnake } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { londonDate } from '@site/schema/calendar';
import { LEAD_FILTERS } from '@site/schema/calls/lead-filter';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import type { LeadExportQuery } from '@site/schema/calls/leads';
import type { LeadDeclaration } from '@site/schema/lead-declaration';
import { listLeadFields } from '@site/schema/lead-fields';
import type { Response } from 'express';
import type { Pool } from 'pg';
import { sendCsv } from '../../http/send-csv.ts';
import { countUpTo, whereLeads } from './lead-filter.ts';

/*
 * The CSV's cells, as Postgres writes them: RFC 4180, with every field of a lead. All text is
 * quoted, so that no line break or separator ends a cell.
 */

/** The fields that a reader looks at first. */
const FIRST = [
  'fullName',
  'email',
  'company',
  'phone',
  'formType',
  'utmSource',
  'country',
  'beehiivStatus',
  'submittedAt',
];
const place = (name: string) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
const FIELDS = listLeadFields().toSorted((a, b) => place(a.name) - place(b.name));

/**
 * A byte-order mark and the columns' names. The names are unquoted, because some programs fail on a
 * quote right after the mark.
 */
const CSV_HEAD = `\uFEFF${FIELDS.map(({ name }) => name).join(',')}\r\n`;

/** Unquoted cells. A time is ISO 8601, in UTC. */
const PLAIN: Partial<Record<LeadDeclaration['kind'], (column: string) => string>> = {
  time: (column) => `replace((${column} at time zone 'UTC')::text, ' ', 'T') || 'Z'`,
  flag: (column) => `${column}::text`,
};

const SELECTED = FIELDS.map(({ name, kind }) => {
  const column = toSnake(name);
  return `${PLAIN[kind]?.(column) ?? column} as ${column}`;
}).join(', ');
const QUOTED = FIELDS.filter(({ kind }) => !PLAIN[kind]).map(({ name }) => toSnake(name));

/** Builds the statement that writes the leads of `leadsSql`, newest first. */
const toCopySql = (leadsSql: string) =>
  `copy (
     select ${SELECTED}
     from (${leadsSql}) leads
     order by leads.submitted_at desc, leads.id desc
   )
   to stdout (format csv, force_quote (${QUOTED.join(', ')}))`;

/** Names the file after its filter, the dates last, without values that may name a person. */
function fileName({ ids, startDate, endDate, ...filter }: LeadExportQuery, today: string): string {
  const parts = Object.entries({ ...filter, startDate, endDate }).flatMap(([name, value]) => {
    const { personal, toFileName } = LEAD_FILTERS[name as keyof LeadFilter];
    if (!value) return [];
    return personal || !toFileName ? name : toFileName(value);
  });
  if (ids) parts.push('selected');
  return `${['leads', ...parts, today].join('-')}.csv`;
}

/** An export of more leads than this counts as an export of all. */
const MANY = 1_000;

/** Returns true if the filter matches all leads, or more than a thousand. */
export async function isMost(db: Database, filter: LeadFilter): Promise<boolean> {
  const matching = await countUpTo(db, filter, MANY + 1);
  return matching > MANY || (matching > 0 && matching === (await countUpTo(db, {}, MANY + 1)));
}

type ExportDeps = { db: Database; exportPool: Pool; clock: Clock };

/** Streams every lead of the filter or of the ids. Throws as `sendCsv` does. */
export async function sendLeadsCsv(
  deps: ExportDeps,
  { ids, ...filter }: LeadExportQuery,
  res: Response,
  tooLate?: AbortSignal,
): Promise<void> {
  const leads = whereLeads(deps.db('leads'), filter);
  if (ids) void leads.whereIn('id', ids);
  const csv = {
    fileName: fileName({ ...filter, ids }, londonDate(deps.clock.now())),
    head: CSV_HEAD,
    rows: leads.select('leads.*'),
    copy: toCopySql,
  };
  await sendCsv(deps, csv, res, tooLate);
}
