import type { CallAnswer } from '@site/schema/calls/calls';
import { formatDated } from '../time/london-time.ts';

type Export = CallAnswer<'POST /api/admin/people/export'>;

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
const inWords = (name: string) =>
  name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase();
const isEmpty = (value: unknown) => value === null || value === undefined || value === '';

const toText = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    ? formatDated(new Date(value))
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

/** Writes one row as a list of the fields that have a value. */
const toList = (row: object) =>
  `<dl>${Object.entries(row)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `<dt>${escape(inWords(name))}</dt><dd>${escape(toText(value))}</dd>`)
    .join('')}</dl>`;

const toSection = (title: string, rows: readonly object[]) =>
  rows.length === 0 ? '' : `<section><h2>${escape(title)}</h2>${rows.map(toList).join('')}</section>`;

/** Writes an export as a page to read, which carries the same data as JSON for programs. */
function toExportPage(data: Export, name: string): string {
  const title = escape(`Everything stored about ${name}`);
  return `<!doctype html>
<html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 Georgia,serif;color:#14202e}
h2{margin:2rem 0 0;text-transform:capitalize}dl{display:grid;grid-template-columns:minmax(8rem,15rem) 1fr;gap:.25rem 1rem;
padding:.75rem 0;margin:0;border-bottom:1px solid #dad3c4}dt{color:#3f4b5a}dd{margin:0;overflow-wrap:anywhere}</style>
<h1>${title}</h1><p>${escape(data.email)}. Exported ${formatDated(new Date(data.exportedAt))}.</p>
<ul>${data.elsewhere.map((line) => `<li>${escape(line)}</li>`).join('')}</ul>
${toSection('consent', data.consent)}
${Object.entries(data.tables)
  .map(([table, rows]) => toSection(inWords(table), rows))
  .join('\n')}
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
