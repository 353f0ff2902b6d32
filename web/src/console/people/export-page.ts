import type { CallAnswer } from '@site/schema/calls/calls';
import { formatMoney } from '@site/schema/currency';
import { listLeadFields } from '@site/schema/lead-fields';
import { FORM_TYPE_NAMES } from '../lead/lead-labels.ts';
import { describeReason } from '../money/money-labels.ts';
import { formatDated } from '../time/london-time.ts';

type Export = CallAnswer<'POST /api/admin/people/export'>;

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

type Row = Record<string, unknown>;
type Section = { of: string; title: string; fields: Record<string, string> };

/** Ids and clicks are for programs, as is how the lead was sent. */
const isRead = ({ name, kind, from }: ReturnType<typeof listLeadFields>[number]) =>
  kind !== 'id' && from !== 'system' && name !== 'formType' && !/Id$|clid$/u.test(name);

/** What a person reads first, and the columns that say something to them. The rest is in the data alone. */
const SECTIONS: Section[] = [
  {
    of: 'subscriptions',
    title: 'Subscriptions',
    fields: {
      plan: 'Plan',
      stage: 'State',
      name: 'Name',
      email: 'Address',
      deliveryEmail: 'The newsletter goes to',
      company: 'Company',
      phone: 'Phone',
      startedAt: 'Started',
      trialEndsAt: 'Trial ends',
      firstPaidAt: 'First paid',
      periodEndsAt: 'Paid period ends',
      canceledAt: 'Cancelled',
      cancellationFeedback: 'Reason given',
      cancelAt: 'Ends',
      endedAt: 'Ended',
    },
  },
  {
    of: 'stripe_invoices',
    title: 'Invoices',
    fields: { number: 'Invoice', issuedAt: 'Date', status: 'State', totalPence: 'Amount', paidPence: 'Paid' },
  },
  {
    of: 'stripe_refunds',
    title: 'Refunds',
    fields: { refundedAt: 'Date', amountPence: 'Amount', status: 'State' },
  },
  {
    of: 'stripe_disputes',
    title: 'Disputes',
    fields: { openedAt: 'Date', amountPence: 'Amount', reason: 'Reason', status: 'State' },
  },
  {
    of: 'checkouts',
    title: 'Checkouts',
    fields: { startedAt: 'Date', state: 'State', plan: 'Plan', email: 'Address' },
  },
  {
    of: 'complimentary_access',
    title: 'Free access',
    fields: { grantedAt: 'Given', until: 'Until', endedAt: 'Ended' },
  },
  {
    of: 'leads',
    title: 'Forms filled in',
    fields: {
      submittedAt: 'Date',
      formType: 'Form',
      ...Object.fromEntries(
        listLeadFields()
          .filter(isRead)
          .map(({ name, label }) => [name, label]),
      ),
    },
  },
  { of: 'sample_requests', title: 'Samples asked for', fields: { createdAt: 'Date', name: 'Name', email: 'Address' } },
  { of: 'consent', title: 'Consent', fields: { at: 'Date', agreed: 'Agreed', wording: 'Text shown', page: 'On page' } },
  { of: 'unsubscribe_requests', title: 'Asked to unsubscribe', fields: { requestedAt: 'Date', doneAt: 'Done' } },
  { of: 'notes', title: 'Notes', fields: { createdAt: 'Date', text: 'Note' } },
  { of: 'subscribers', title: 'On the list at Beehiiv', fields: { status: 'State', statusSince: 'Since' } },
  { of: 'lead_sync_attempts', title: 'Sent to Beehiiv', fields: { startedAt: 'Date', message: 'Answer' } },
];

function toText(name: string, value: unknown, { currency }: Row): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formatMoney(value, typeof currency === 'string' ? currency : null);
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(text)) return formatDated(new Date(text));
  if (name === 'formType') return text === 'pre_sample' || text === 'pre_buy' ? FORM_TYPE_NAMES[text] : text;
  return ['plan', 'stage', 'status', 'state', 'reason'].includes(name) ? describeReason(text) : text;
}

function toSection({ of, title, fields }: Section, tables: Record<string, Row[]>): string {
  const lists = (tables[of] ?? []).map((row) => {
    const told = Object.entries(fields).filter(([name]) => !isEmpty(row[name]));
    const lines = told.map(
      ([name, label]) => `<dt>${escape(label)}</dt><dd>${escape(toText(name, row[name], row))}</dd>`,
    );
    return `<dl>${lines.join('')}</dl>`;
  });
  return lists.length === 0 ? '' : `<section><h2>${title}</h2>${lists.join('')}</section>\n`;
}

/** Writes an export as a page to read, which carries the same data as JSON for programs. */
function toExportPage(data: Export, name: string): string {
  const title = escape(`Everything stored about ${name}`);
  return `<!doctype html>
<html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 Georgia,serif;color:#14202e}
h2{margin:2rem 0 0}dl{display:grid;grid-template-columns:minmax(8rem,15rem) 1fr;gap:.25rem 1rem;
padding:.75rem 0;margin:0;border-bottom:1px solid #dad3c4}dt{color:#3f4b5a}dd{margin:0;overflow-wrap:anywhere}</style>
<h1>${title}</h1><p>${escape(data.email)}. Exported ${formatDated(new Date(data.exportedAt))}.</p>
<ul>${data.elsewhere.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>
${SECTIONS.map((section) => toSection(section, { ...data.tables, consent: data.consent })).join('')}
<p>Ids and technical records are in the data that this file also carries, for programs.</p>
<script type="application/json" id="data">${JSON.stringify(data, null, 2).replaceAll('<', String.raw`\u003c`)}</script>
</html>
`;
}

/** Saves an export under the person's name. */
export function saveExport(data: Export, name: string): void {
  const url = URL.createObjectURL(new Blob([toExportPage(data, name)], { type: 'text/html' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.replaceAll(/[^\p{L}\p{N}@.]+/gu, '-')} ${data.exportedAt.slice(0, 10)}.html`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
