/** Escaped markup, created only by `html`. */
export type Html = { readonly markup: string };
type HtmlValue = string | number | null | undefined | false | Html | readonly Html[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Renders a template and escapes every value that `html` did not create. Attributes must be quoted.
 */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const markup = parts
    .map((part, index) => (index === 0 ? part : toMarkup(values[index - 1]) + part))
    .join('');
  return { markup };
}

function toMarkup(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map((item) => item.markup).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Renders JSON that is safe inside a script element: nothing in it can end the element. */
export function jsonForScript(value: unknown): Html {
  return { markup: JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, toUnicodeEscape) };
}

function toUnicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const DATE_AND_TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats seconds since 1970 as a date, such as 24 Nov 2026. */
export function formatDate(seconds: number): string {
  return DATE.format(seconds * 1_000);
}

/** Formats seconds since 1970 as a date and a time in UTC, such as 24 Nov 2026, 18:02. */
export function formatDateAndTime(seconds: number): string {
  return DATE_AND_TIME.format(seconds * 1_000);
}

/** Renders a whole page. The CSS is not escaped, so it must never contain a visitor's input. */
export function page(title: string, css: string, body: Html): string {
  const style: Html = { markup: css };
  return html`<!doctype html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${style}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.markup;
}
