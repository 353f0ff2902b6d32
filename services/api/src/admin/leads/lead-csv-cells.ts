import { toSnake } from '@site/platform/database/connect';
import { listLeadFields } from '@site/schema/lead-fields';
import type { LeadDeclaration } from '@site/schema/lead-declaration';

/*
 * The cells of the CSV, as Postgres writes them: RFC 4180, with every field of a lead. All text is quoted, so that neither
 * a line break nor any separator ends a cell.
 * Before: `lead-csv.ts`.
 */

/** What a person reads first. */
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

/** The characters that begin a formula, and their full-width forms. */
const SIGNS = '=+@＋－＝＠-';
/** Code points of what makes the first character of a cell one that a spreadsheet would run, or skip before a formula. */
const FIRST_SIGNS = Array.from(`\t\n\r${SIGNS}`)
  .map((sign) => sign.codePointAt(0))
  .join(', ');
/** A formula after a split. A number such as `+44 20 7946 0000` is not one. */
const LATER_FORMULA = String.raw`([;\t\n\r][\s"'']*)([=@＋－＝＠-]|\+[0-9 ()]*[^0-9 ();\t\n\r])`;

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula, also where a reader that splits at
 * semicolons, tabs or line breaks begins a cell. A phone number stays as it is, unless a spreadsheet would calculate it:
 * `+1-202-555-0100` is one to a person but -856 to Excel, unless a space or bracket separates its digits, too.
 */
export function guardFormula(column: string): string {
  const isPhone = `${column} ~ '[0-9]' and translate(${column}, '0123456789 ().-', '') = '+'
    and (strpos(${column}, '-') = 0 or ${column} ~ '[0-9][ ()]+[0-9]')`;
  const first = `case when ascii(${column}) in (${FIRST_SIGNS}) and not (${isPhone}) then '''' else '' end`;
  // Replacing costs more than asking first whether there is a split.
  const rest = `case when ${column} ~ '[;\\t\\n\\r]' then
    regexp_replace(${column}, '${LATER_FORMULA}', '\\1''\\2', 'g') else ${column} end`;
  return `${first} || ${rest}`;
}

/** ISO 8601, in UTC. */
const time = (column: string) => `replace((${column} at time zone 'UTC')::text, ' ', 'T') || 'Z'`;

const CELLS: Record<LeadDeclaration['kind'], (column: string) => string> = {
  text: guardFormula,
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
