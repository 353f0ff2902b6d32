import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { findVersionFailure, findVersionWarning, NEWEST_TESTED } from './node-version.mjs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

test.for(['20.19.0', '20.20.2', '22.12.0', '23.0.0', '24.21.0', '26.10.0', '27.0.0'])(
  'Node %s runs the product',
  (version) => {
    expect(findVersionFailure(version, engines.node)).toBeNull();
  },
);

test.for(['18.20.8', '20.18.3', '21.7.3', '22.5.1', '22.11.0'])(
  'Node %s is refused before anything runs',
  (version) => {
    expect(findVersionFailure(version, engines.node)).toBe(
      `This needs Node 20.19 or a later 20, or 22.12 or a later one, and this is Node ${version}: install Node 24 from https://nodejs.org.`,
    );
  },
);

test('a Node newer than those tested gets one sentence of warning, and no refusal', () => {
  expect(findVersionWarning('27.0.0')).toBe(
    'Node 27.0.0 has not been tested: if something fails, use Node 24 from https://nodejs.org.',
  );
});

test.for(['20.19.0', '25.1.0', '26.10.0'])('Node %s gets no warning', (version) => {
  expect(findVersionWarning(version)).toBeNull();
});

test('the newest Node without a warning is the newest that CI runs', () => {
  const workflow = readFileSync(new URL('../.github/workflows/ci.yml', import.meta.url), 'utf8');
  const [, versions] = /node: \[(.+)\]/.exec(workflow);

  expect(Math.max(...versions.split(',').map(Number))).toBe(NEWEST_TESTED);
});
