import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '../settings.mjs';
import { findTestFailure, findTitleFailure, WITHOUT_SOURCE } from './test-files.mjs';

const find = (file) =>
  findTestFailure(file, { 'web/src/listed.test.ts': 'all pages' }, (path) =>
    ['web/src/main.tsx', 'services/api/src/lead.routes.ts'].includes(path),
  );

test.for([
  ['beside its source', 'services/api/src/lead.routes.test.ts'],
  ['beside a component', 'web/src/main.test.tsx'],
  ['with a reason in the list', 'web/src/listed.test.ts'],
  ['of a journey', 'e2e/subscribe.spec.ts'],
])('a test %s passes', ([, file]) => {
  expect(find(file)).toBeUndefined();
});

test.for(['services/api/src/lead.test.ts', 'web/src/landing.spec.tsx'])(
  'the test %s has no source of its name',
  (file) => {
    expect(find(file)).toBe('No source beside this test has its name');
  },
);

test('the list of tests without a source has no others', () => {
  const outdated = Object.keys(WITHOUT_SOURCE).filter(
    (file) => !existsSync(join(ROOT, file)) || findTestFailure(join(ROOT, file), {}) === undefined,
  );

  expect(outdated).toEqual([]);
});

test('a title has at most 80 characters and no semicolon', () => {
  expect(findTitleFailure('x'.repeat(80))).toBeUndefined();
  expect(findTitleFailure('x'.repeat(81))).toBe('A title has at most 80 characters');
  expect(findTitleFailure('a; b')).toBe('A title is one sentence without semicolons');
});
