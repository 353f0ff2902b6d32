import type { CallAnswer } from '@site/schema/calls/calls';
import { formatMoney } from '@site/schema/currency';
import { listLeadFields } from '@site/schema/lead-fields';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import { OFFER } from '@site/schema/offer';
import { describeButton, describeSource, describeSubscriberStatus } from '../lead/lead-labels.ts';
import { FORM_TYPE_NAMES, STAGE_NAMES } from '../lead/lead-labels.ts';
import { describeCancellation, describeReason, DISPUTE_STATES, DISPUTED } from './money-labels.ts';
import { INVOICE_STATES, REFUND_STATES } from './money-labels.ts';
import { formatDated } from '../shared/format.ts';

type Export = CallAnswer<'POST /api/admin/people/export'>;

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

type Row = Record<string, unknown>;
type Section = readonly [table: string, title: string, columns: readonly string[]];

/** Ids and clicks are for programs, as is how the lead was sent. */
const READ_OF_LEAD = listLeadFields().filter(
  ({ name, kind, from }) => kind !== 'id' && from !== 'system' && !/Id$|clid$/u.test(name),
);
const LEAD_LABELS: Record<string, string> = {
  ...Object.fromEntries(READ_OF_LEAD.map(({ name, label }) => [name, label])),
  utmSource: 'Button',
  email: 'Email',
};
const PAYER = ['name', 'email', 'company', 'phone'];
const TERM = [
  'startedAt',
  'trialEndsAt',
  'firstPaidAt',
  'periodEndsAt',
  'canceledAt',
  'cancelAt',
  'endedAt',
];

/** What a person reads first, and the columns that say something to them. The rest is in the data alone. */
const SECTIONS: Section[] = [
  [
    'subscriptions',
    'Subscriptions',
    ['plan', 'shownStage', ...PAYER, ...TERM, 'cancellationFeedback'],
  ],
  ['stripe_invoices', 'Invoices', ['number', 'issuedAt', 'status', 'totalPence', 'refundedPence']],
  ['stripe_refunds', 'Refunds', ['refundedAt', 'status', 'amountPence']],
  ['stripe_disputes', 'Disputes', ['openedAt', 'reason', 'status', 'amountPence']],
  ['checkouts', 'Checkouts', ['startedAt', 'state', 'plan', 'email']],
  ['complimentary_access', 'Free access', ['grantedAt', 'until', 'endedAt']],
  ['leads', 'Forms filled in', ['submittedAt', ...Object.keys(LEAD_LABELS)]],
  ['sample_requests', 'Samples asked for', ['createdAt', 'name', 'email', 'company']],
  ['consent', 'Consent', ['at', 'agreed', 'wording', 'page']],
  ['address_requests', 'Mistyped address taken off Beehiiv’s list', ['requestedAt', 'doneAt']],
  ['notes', 'Notes', ['createdAt', 'text']],
  ['subscribers', 'On the list at Beehiiv', ['status', 'statusSince']],
  ['lead_sync_attempts', 'Sent to Beehiiv', ['startedAt', 'message']],
];

/** More would not fit side by side. */
const MAX_COLUMNS = 5;

const LABELS: Record<string, string> = { at: 'When', cancelAt: 'Ends', shownStage: 'Stage' };

/** `Trial ends` of `trialEndsAt`. */
const toLabel = (name: string) =>
  LABELS[name] ??
  describeReason(
    name.replaceAll(/([A-Z])/gu, (sign) => `_${sign.toLowerCase()}`).replace(/_(?:at|pence)$/u, ''),
  );

/** Stripe's and our programs' words, by the table or the column, as the console says them. */
const WORDS: Record<string, Record<string, string>> = {
  plan: { annual: 'Yearly' },
  shownStage: STAGE_NAMES,
  formType: FORM_TYPE_NAMES,
  reason: DISPUTED,
  state: { complete: 'completed', 'payment-failed': 'completed, but the payment failed later' },
  stripe_invoices: INVOICE_STATES,
  stripe_refunds: REFUND_STATES,
  stripe_disputes: { under_review: 'answered; the bank is reviewing it', ...DISPUTE_STATES },
};

function toText(table: string, name: string, { [name]: value, currency }: Row): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number')
    return formatMoney(value, typeof currency === 'string' ? currency : null);
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(text)) return formatDated(new Date(text));
  if (name === 'utmSource') return text === OPERATOR_SOURCE ? 'Added by us' : describeButton(text);
  if (/utm/iu.test(name)) return describeSource(text);
  if (name === 'cancellationFeedback') return describeReason(describeCancellation(text));
  if (table === 'subscribers' && name === 'status') return describeSubscriberStatus(text);
  const words = WORDS[name === 'status' ? table : name]?.[text];
  if (words === undefined && table === 'stripe_disputes' && name === 'status')
    return 'Not decided yet';
  if (words !== undefined) return describeReason(words.replace(/^(?:as|,| and) /u, ''));
  return ['plan', 'shownStage', 'status', 'state', 'reason'].includes(name)
    ? describeReason(text)
    : text;
}

/** The newest first: several as a table, one as a list of what is known. */
function toSection([table, title, columns]: Section, tables: Record<string, Row[]>): string {
  const at = columns.find((name) => name.endsWith('At')) ?? '';
  const rows = (tables[table] ?? []).toSorted((a, b) => String(b[at]).localeCompare(String(a[at])));
  if (rows.length === 0) return '';
  const shown = columns.filter((name) => rows.some((row) => !isEmpty(row[name])));
  const labelOf = (name: string) => (table === 'leads' && LEAD_LABELS[name]) || toLabel(name);
  const textOf = (name: string, row: Row) =>
    isEmpty(row[name]) ? '' : escape(toText(table, name, row)).replaceAll('@', '<wbr>@');
  const toCells = (cell: (name: string) => string) => `<tr>${shown.map(cell).join('')}</tr>`;
  const lists =
    rows.length > 1 && shown.length <= MAX_COLUMNS
      ? [
          '<table>',
          toCells((name) => `<th>${labelOf(name)}</th>`),
          ...rows.map((row) => toCells((name) => `<td>${textOf(name, row)}</td>`)),
          '</table>',
        ]
      : rows.map((row) => {
          const known = shown.filter((name) => !isEmpty(row[name]));
          return `<dl>${known.map((name) => `<dt>${labelOf(name)}</dt><dd>${textOf(name, row)}</dd>`).join('')}</dl>`;
        });
  return `<section><h2>${title}</h2>${lists.join('')}</section>\n`;
}

/** Writes an export as a page to read, which carries the same data as JSON for programs. */
function toExportPage(data: Export, name: string): string {
  const title = escape(`Everything stored about ${name}`);
  const tables: Record<string, Row[]> = { ...data.tables, consent: data.consent };
  return `<!doctype html>
<html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#14202e}
h1,h2{font-family:Georgia,serif;font-weight:500}h2{margin:2rem 0 0}
table{width:100%;border-collapse:collapse}th,td{padding:.5rem .5rem .5rem 0;border-bottom:1px solid #dad3c4;text-align:left;
vertical-align:top}td,dd{overflow-wrap:anywhere}th,dt{color:#3f4b5a;font-weight:400}
dl{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,7fr);gap:.25rem 1rem;
padding:.75rem 0;margin:0;border-bottom:1px solid #dad3c4}dd{margin:0}
@media (max-width:37.5rem){dl,table{font-size:.8125rem}}</style>
<main><p>${escape(OFFER.productName)}</p><h1>${title}</h1>
<p>${escape(data.email).replaceAll('@', '<wbr>@')}. Exported ${formatDated(new Date(data.exportedAt))}. All times are UK time.</p>
<ul>${data.elsewhere.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>
${SECTIONS.map((section) => toSection(section, tables)).join('')}
<p>This is the end of the page. The file also carries all of it, with ids and technical records, as JSON for programs.</p></main>
<script type="application/json" id="data">${JSON.stringify(data, null, 2).replaceAll('<', String.raw`\u003c`)}</script>
</html>
`;
}

/** Downloads an export as a page, and returns the name of its file. */
export function saveExport(data: Export, name: string): string {
  const url = URL.createObjectURL(new Blob([toExportPage(data, name)], { type: 'text/html' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N}@.]+/gu, '-')} ${data.exportedAt.slice(0, 10)}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return link.download;
}
