import type { MailBody, MailRow } from '@site/platform/database/tables';
import escapeHtml from 'escape-html';

const SERIF = "font-family:Georgia,'Times New Roman',serif";
const SANS = 'font-family:Arial,Helvetica,sans-serif';
const INK = '#1b2430';
const SOFT = '#57534a';
const ALARM = '#9b1c10';
const LINK = '#0b5345';
const LINE = `border-bottom:1px solid #cfc9bb`;

/** Renders a mail as HTML for mail programs (600 px, tables, no pictures) and as plain text. */
export function renderMail(body: MailBody): { subject: string; html: string; plain: string } {
  return { subject: body.subject, html: toHtml(body), plain: toPlain(body) };
}

const cell = (style: string, content: string, more = '') =>
  `<td style="${SANS};font-size:15px;line-height:20px;padding:9px 0;vertical-align:top;` +
  `${LINE};color:${INK};${style}"${more}>${content}</td>`;
const table = (rows: string) =>
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" ' +
  `style="border-collapse:collapse">${rows}</table>`;
const link = (href: string, text: string, style = '') =>
  `<a href="${escapeHtml(href)}" style="color:${LINK};${style}">${escapeHtml(text)}</a>`;

function toHtml({ subject, name, heading, sections, href, link: words, foot }: MailBody): string {
  const parts = sections.map(({ heading: title, count, columns = [], rows }) => {
    const span = columns.length + 2;
    const many = count === undefined ? '' : ` <span style="${SANS};font-size:13px">${count}</span>`;
    const head =
      `<tr><td colspan="${span}" style="${SERIF};font-size:21px;color:${INK};` +
      `padding:28px 0 8px;border-bottom:1px solid ${INK}">${escapeHtml(title)}${many}</td></tr>`;
    const names = columns.map((column) =>
      cell('font-size:13px;font-weight:bold;text-align:right', escapeHtml(column)),
    );
    const top = names.length > 0 ? `<tr>${cell('', '')}${names.join('')}</tr>` : '';
    return table(head + top + rows.map(toRow).join(''));
  });
  const page = table(
    `<tr><td style="padding:32px">
<p style="${SERIF};font-size:16px;font-weight:bold;color:${SOFT};margin:0">${escapeHtml(name)}</p>
<h1 style="${SERIF};font-size:29px;line-height:36px;font-weight:normal;color:${INK};margin:0">
${escapeHtml(heading)}</h1>
${parts.join('')}
<p style="${SANS};font-size:15px;margin:24px 0;padding-bottom:24px;${LINE}">
${link(href, words, 'font-weight:bold')}</p>
<p style="${SANS};font-size:13px;line-height:18px;color:${SOFT};margin:0">${escapeHtml(foot)}</p>
</td></tr>`,
  );
  return `<!doctype html><html lang="en-GB">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#ffffff">
<table role="presentation" align="center" width="600" cellpadding="0" cellspacing="0"
style="width:100%;max-width:600px;margin:0 auto"><tr><td>${page}</td></tr></table></body></html>`;
}

function toRow({ title, isAlarm = false, text, note, figures = [], href }: MailRow): string {
  const begin =
    title === undefined
      ? ''
      : `<b style="color:${isAlarm ? ALARM : INK}">${escapeHtml(title)}.</b> `;
  const below =
    note === undefined
      ? ''
      : `<br><span style="font-size:13px;color:${SOFT}">${escapeHtml(note)}</span>`;
  const style = 'text-align:right;padding-left:16px';
  const numbers = figures.map((figure, place) => {
    const weight = figures.length > 1 && place === 0 ? ';font-weight:bold' : '';
    const colour = place === 0 ? '' : `;color:${SOFT}`;
    return cell(`${style}${weight}${colour}`, escapeHtml(figure));
  });
  if (href !== undefined) numbers.push(cell(style, link(href, 'Open'), ' width="40"'));
  const words = cell('', `${begin}${escapeHtml(text)}${below}`);
  return `<tr>${words}${numbers.join('')}</tr>`;
}

function toPlain({ name, heading, sections, href, link: words, foot }: MailBody): string {
  const parts = sections.map(({ heading: title, count, columns, rows }) => {
    const head =
      title +
      (count === undefined ? '' : ` (${count})`) +
      (columns ? `: ${columns.join(', ')}` : '');
    const lines = rows.flatMap(({ title: begin, text, note, figures = [], href: open }) => [
      `- ${begin ? `${begin}. ` : ''}${text}${figures.length > 0 ? `: ${figures.join(', ')}` : ''}`,
      ...[note, open].flatMap((more) => (more === undefined ? [] : `  ${more}`)),
    ]);
    return [head, ...lines].join('\n');
  });
  return [`${name}\n${heading}`, ...parts, `${words}: ${href}`, foot].join('\n\n');
}
