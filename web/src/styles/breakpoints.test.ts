import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
/**
 * The widths at which layouts change. In em, so that larger text gets the form of a narrower
 * window.
 */
const WIDTHS = ['40em', '64em', '80em'];
/** A phone with large text, 400 % zoom, and the stamp on the first drawing. */
const EXCEPTIONS = ['15em', '17.5em', '20em', '22.5em', '88em'];

test('forms change at three widths', () => {
  const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'));
  const queries = sheets.flatMap((sheet) => sheet.match(/@media [^{]+/g) ?? []);
  const used = queries.flatMap((query) => query.match(/(?<=width[^)]*?)[\d.]+[a-z]+/g) ?? []);

  expect(queries.length).toBeGreaterThan(50);
  expect([...new Set(used)].filter((width) => !EXCEPTIONS.includes(width)).toSorted()).toEqual(
    WIDTHS,
  );
});
