import { toSnake } from '@site/platform/database/connect';
import { listLeadFields } from '@site/schema/lead-fields';
import type { LeadDeclaration } from '@site/schema/lead-declaration';

/*
 * The cells of the CSV, as Postgres writes them: RFC 4180, with every field of a lead. All text is
 * quoted, so that neither a line break nor any separator ends a cell.
 * Before: `lead-csv.ts`.
 */

/** The fields that a person reads first. */
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

/** A byte-order mark and the names of the columns. They are not quoted: some programs fail on a quote right after the mark. */
export const CSV_HEAD = `\uFEFF${FIELDS.map(({ name }) => name).join(',')}\r\n`;

/** ISO 8601, in UTC. */
const time = (column: string) => `replace((${column} at time zone 'UTC')::text, ' ', 'T') || 'Z'`;

const CELLS: Record<LeadDeclaration['kind'], (column: string) => string> = {
  text: (column) => column,
  formType: (column) => column,
  beehiivStatus: (column) => column,
  id: (column) => column,
  time,
  flag: (column) => `${column}::text`,
};

const SELECTED = FIELDS.map(
  ({ name, kind }) => `${CELLS[kind](toSnake(name))} as ${toSnake(name)}`,
).join(', ');
const QUOTED = FIELDS.filter(({ kind }) => kind !== 'time' && kind !== 'flag').map(({ name }) =>
  toSnake(name),
);

/** The statement that writes the leads that `leadsSql` selects, newest first. */
export const toCopySql = (leadsSql: string) =>
  `copy (select ${SELECTED} from (${leadsSql}) leads order by leads.submitted_at desc, leads.id desc)
   to stdout (format csv, force_quote (${QUOTED.join(', ')}))`;
