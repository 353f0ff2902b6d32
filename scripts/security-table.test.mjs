import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from './settings.mjs';

const PAGE = 'docs/asvs.md';
const STATES = ['Holds', 'Partly', 'Open', 'Depends on the owner'];
const LINE = new RegExp(`^- \\*\\*(\\d+\\.\\d+\\.\\d+) (${STATES.join('|')})\\.\\*\\* \\S`);
/** A path in this repository, not a media type or a route. */
const CITED =
  /`((?:\.ci|\.github|bench|deploy|docs|e2e|packages|scripts|services|web)\/[^`\s]*|[\w.-]+\.(?:md|json|yml|yaml))`/g;
const LINKED = /\]\(([^)#:]+)(?:#[^)]*)?\)/g;
/** A test file, or a title in the line's last test file. */
const TESTS = /`([^`\s]+\.(?:test\.tsx?|test\.mjs|spec\.ts))`|"([^"]+)"/g;
/** The first text of a call, such as a test's title. */
const FIRST_TEXTS = /\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;

const matchesOf = (text, pattern) => [...text.matchAll(pattern)];
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Finds the page's failures, one sentence each. */
function findFailures(page) {
  const lines = page.split('\n').filter((line) => /^- \*\*\d/.test(line));
  const states = lines.map((line) => LINE.exec(line));
  const numbers = states.flatMap((found) => found?.[1] ?? []);
  const count = (state) => states.filter((found) => found?.[2] === state).length;
  const absent = lines.filter((line) => / Holds\.\*\* Nothing of the kind/.test(line)).length;
  const summary =
    `Self-assessed against ASVS 4.0.3 level 2: ${count('Holds')} of 259 hold, ${absent} of them because there is nothing ` +
    `of the kind here. ${count('Partly')} hold partly, ${count('Open')} are open, and ` +
    `${count('Depends on the owner')} depend on the owner.`;
  return [
    ...lines
      .filter((_, n) => states[n] === null)
      .map((line) => `has no state: ${line.slice(0, 40)}`),
    ...(numbers.length === 259 && new Set(numbers).size === 259
      ? []
      : [`has ${new Set(numbers).size} requirements`]),
    ...(page.includes(`\n${summary}\n`) ? [] : [`does not say: ${summary}`]),
    ...[
      ...matchesOf(page, CITED),
      ...matchesOf(page, LINKED).map(([all, path]) => [all, join(dirname(PAGE), path)]),
    ]
      .filter(([, path]) => !existsSync(join(ROOT, path)))
      .map(([, path]) => `names a file that does not exist: ${path}`),
    ...page.split('\n').flatMap(findMissing),
  ];
}

/** Finds missing tests that a line of the page names. */
function findMissing(line) {
  let file = null;
  return matchesOf(line, TESTS).flatMap(([, path, title]) => {
    if (path !== undefined) file = path;
    if (file === null || !existsSync(join(ROOT, file)))
      return path === undefined ? [] : [`names no test: ${path}`];
    const known = matchesOf(read(file), FIRST_TEXTS).map(([, , text]) => text);
    return title === undefined || known.some((each) => each.includes(title))
      ? []
      : [`${file} has no test "${title}"`];
  });
}

test('every requirement has a state, and every named file and test exists', () => {
  expect(findFailures(read(PAGE))).toEqual([]);
});

test.for([
  [
    'a line without a state',
    (page) => page.replace('- **2.1.1 Holds.**', '- **2.1.1**'),
    'has no state: - **2.1.1**',
  ],
  ['a missing line', (page) => page.replace(/^- \*\*2\.1\.1 .*\n/m, ''), 'has 258 requirements'],
  [
    'a wrong sum',
    (page) => page.replace(/: \d+ of 259 hold/, ': 259 of 259 hold'),
    'does not say: Self-assessed',
  ],
  [
    'a file that has moved',
    (page) => page.replace('http/fuzz.test.ts', 'http/gone.test.ts'),
    'http/gone.test.ts',
  ],
  [
    'a test that was renamed',
    (page) => page.replace('"lasts 15 minutes"', '"lasts an hour"'),
    'no test "lasts an hour"',
  ],
  [
    'a link to nothing',
    (page) => page.replace('(update.md#', '(gone.md#'),
    'does not exist: docs/gone.md',
  ],
])('%s is found', ([, spoil, failure]) => {
  expect(findFailures(spoil(read(PAGE)))).toContainEqual(expect.stringContaining(failure));
});
