/** Markup that needs no more escaping; only `html` makes one. */
export type Html = { readonly markup: string };
type HtmlValue = string | number | null | undefined | false | Html | readonly Html[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A template in which every value is escaped unless it is itself made by `html`. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const markup = parts.map((part, index) => (index === 0 ? part : toMarkup(values[index - 1]) + part)).join('');
  return { markup };
}

function toMarkup(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map((item) => item.markup).join('');
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** JSON that may stand inside a script element: no sequence in it can end the element. */
export function jsonForScript(value: unknown): Html {
  return { markup: JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, toUnicodeEscape) };
}

function toUnicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The CSS is our own text, never a visitor's. */
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
