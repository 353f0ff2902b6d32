import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '../settings.mjs';
import { findLoneWords, findLongLines } from './columns.mjs';

const SCHEMA = join(ROOT, 'packages/platform/src/database/schema');

test('a line has at most 100 columns, whatever its script', () => {
  const lines = ['é'.repeat(100), 'x'.repeat(101), `// oxlint-disable-next-line ${'x'.repeat(99)}`];

  expect(findLongLines(lines)).toEqual([2]);
});

test('no line holds one word of SQL', () => {
  expect(
    findLoneWords(['select', '  left', 'left join a using (b)', '  using (b)', 'on', 'x']),
  ).toEqual([1, 2, 4, 5]);
});

test('the schema’s lines have at most 100 columns, and more than one word of SQL', () => {
  const findWrong = (lines) => [...findLongLines(lines), ...findLoneWords(lines)];
  const files = readdirSync(SCHEMA);
  const wrong = files.flatMap((file) =>
    findWrong(readFileSync(join(SCHEMA, file), 'utf8').split('\n')).map((at) => [file, at]),
  );

  expect(files).toContain('functions.sql');
  expect(wrong).toEqual([]);
});
