import type { CallAnswer } from '@site/schema/calls/calls';
import { formatMoney } from '@site/schema/money';
import { listLeadFields } from '@site/schema/lead-fields';
import { OFFER } from '@site/schema/offer';
import {
  toButtonName,
  toSubscriberStatusName,
  FORM_TYPE_NAMES,
  STAGE_NAMES,
} from '@site/schema/labels';
import { formatDateTime } from '../shared/format.ts';
import { saveFile } from '../shared/save-file.ts';
import { toReasonText } from './labels.ts';

type Export = CallAnswer<'POST /api/admin/people/export'>;
type Row = Record<string, unknown>;
type Table = keyof Export['tables'] | 'consent';
type Section = readonly [title: string, ...columns: string[]];

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

/** Leaves out ids, click ids and the sync's fields, which are for programs. */
const READ_OF_LEAD = listLeadFields().filter(
  ({ name, kind, from }) => kind !== 'id' && from !== 'system' && !/Id$|clid$/u.test(name),
);
const LABELS: Record<string, string> = {
  ...Object.fromEntries(READ_OF_LEAD.map(({ name, label }) => [name, label])),
  at: 'When',
  cancelAt: 'Ends',
  freeGrantedAt: 'Free access given',
  freeUntil: 'Free access until',
  shownStage: 'Stage',
  utmSource: 'Button',
};

/**
 * The title of each table, and the columns that mean something to a person. Only the data has the
 * rest.
 */
const SECTIONS: Partial<Record<Table, Section>> = {
  subscriptions: [
    'Subscriptions',
    'plan',
    'shownStage',
    'name',
    'email',
    'company',
    'phone',
    'startedAt',
    'trialEndsAt',
    'firstPaidAt',
    'periodEndsAt',
    'canceledAt',
    'cancelAt',
    'endedAt',
    'cancellationFeedback',
  ],
  stripe_invoices: ['Invoices', 'number', 'issuedAt', 'status', 'totalPence', 'refundedPence'],
  stripe_refunds: ['Refunds', 'refundedAt', 'status', 'amountPence'],
  stripe_disputes: ['Disputes', 'openedAt', 'reason', 'status', 'amountPence'],
  checkouts: ['Checkouts', 'startedAt', 'state', 'plan', 'email'],
  people: [
    'The list at Beehiiv and free access',
    'status',
    'statusSince',
    'freeGrantedAt',
    'freeUntil',
  ],
  leads: ['Forms filled in', 'submittedAt', ...READ_OF_LEAD.map(({ name }) => name)],
  sample_requests: ['Samples asked for', 'createdAt', 'name', 'email', 'company'],
  removal_requests: ['Mistyped email taken off Beehiiv’s list', 'requestedAt', 'doneAt'],
  notes: ['Notes', 'createdAt', 'text'],
  lead_sync_attempts: ['Sent to Beehiiv', 'startedAt', 'message'],
  consent: ['Consent', 'at', 'agreed', 'wording', 'page'],
};

/** Returns `Trial ends` for `trialEndsAt`. */
const toLabel = (name: string) =>
  LABELS[name] ??
  toReasonText(
    name.replaceAll(/([A-Z])/gu, (sign) => `_${sign.toLowerCase()}`).replace(/_(?:at|pence)$/u, ''),
  );

const NAMES: Record<string, string> = { ...STAGE_NAMES, ...FORM_TYPE_NAMES };
const CODES = new Set(['plan', 'shownStage', 'formType', 'status', 'state', 'reason']);

/** Returns dates, amounts and our programs' words in readable form. */
function toText(table: Table, name: string, { [name]: value, currency }: Row): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number')
    return formatMoney(value, typeof currency === 'string' ? currency : null);
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(text)) return formatDateTime(new Date(text));
  if (name === 'utmSource') return toButtonName(text);
  if (table === 'people') return toSubscriberStatusName(text);
  return CODES.has(name) ? (NAMES[text] ?? toReasonText(text)) : text;
}

/** Lists a table's rows, newest first, each with its known values. */
function toSection(table: Table, rows: readonly Row[]): string {
  const [title, ...columns] = SECTIONS[table] ?? [''];
  const at = columns.find((name) => name.endsWith('At')) ?? '';
  const newest = rows.toSorted((a, b) => String(b[at]).localeCompare(String(a[at])));
  const lists = newest.flatMap((row) => {
    const facts = columns
      .filter((name) => !isEmpty(row[name]))
      .map((name) => {
        const text = escape(toText(table, name, row)).replaceAll('@', '<wbr>@');
        return `<dt>${toLabel(name)}</dt><dd>${text}</dd>`;
      });
    return facts.length > 0 ? [`<dl>${facts.join('')}</dl>`] : [];
  });
  if (lists.length === 0) return '';
  return `<section><h2>${title}</h2>${lists.join('')}</section>\n`;
}

/** Writes an export as a readable page, which includes the same data as JSON for programs. */
export function toExportPage(data: Export, name: string): string {
  const title = escape(`Everything stored about ${name}`);
  const tables = Object.entries({ ...data.tables, consent: data.consent });
  const json = JSON.stringify(data, null, 2).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{max-width:60rem;margin:2rem auto;padding:0 1rem}
body{font:1rem/1.5 system-ui,sans-serif;color:#14202e}
h1,h2{font-family:Georgia,serif;font-weight:500}h2{margin:2rem 0 0}
dd{overflow-wrap:anywhere}dt{color:#3f4b5a}
dl{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,7fr);gap:.25rem 1rem;
padding:.75rem 0;margin:0;border-bottom:1px solid #dad3c4}dd{margin:0}
@media (max-width:37.5rem){dl{font-size:.8125rem}}</style>
<main><p>${escape(OFFER.productName)}</p><h1>${title}</h1>
<p>${escape(data.email).replaceAll('@', '<wbr>@')}.
Exported ${formatDateTime(new Date(data.exportedAt))}. All times are UK time.</p>
<ul>${data.elsewhere.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>
${tables.map(([table, rows]) => toSection(table as Table, rows)).join('')}
<p>This is the end of the page.
The file also carries all of it, with ids and technical records, as JSON for programs.</p></main>
<script type="application/json" id="data">${json}</script>
</html>
`;
}

/** Downloads an export as a page, and returns the name of its file. */
export function saveExport(data: Export, name: string): string {
  const person = name.replaceAll(/[^\p{L}\p{N}@.]+/gu, '-');
  const file = `${person} ${data.exportedAt.slice(0, 10)}.html`;
  saveFile(file, new Blob([toExportPage(data, name)], { type: 'text/html' }));
  return file;
}
