import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '../settings.mjs';
import { findLongLines } from './columns.mjs';

const SCHEMA = join(ROOT, 'packages/platform/src/database/schema');

test('a line has at most 100 columns, whatever its script', () => {
  const lines = ['é'.repeat(100), 'x'.repeat(101), `// oxlint-disable-next-line ${'x'.repeat(99)}`];

  expect(findLongLines(lines)).toEqual([2]);
});

test('the schema’s lines have at most 100 columns', () => {
  const files = readdirSync(SCHEMA);
  const long = files.flatMap((file) =>
    findLongLines(readFileSync(join(SCHEMA, file), 'utf8').split('\n')).map((at) => [file, at]),
  );

  expect(files).toContain('functions.sql');
  expect(long).toEqual([]);
});
