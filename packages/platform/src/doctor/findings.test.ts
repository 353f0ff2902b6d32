import { describe, expect, test } from 'vitest';
import {
  compareClocks,
  error,
  formatFindings,
  ok,
  runChecks,
  toExitCode,
  warning,
} from './findings.ts';

const FINE = ok('Redis', 'version 8');
const ODD = warning('offer', 'is past', 'Move it.');
const BROKEN = error('Stripe', 'refuses the key', 'Set it.');

describe('findings', () => {
  test('each finding is one line, with a second line for its remedy', () => {
    expect(formatFindings([FINE, BROKEN], false).split('\n')).toEqual([
      '✓ ok       Redis: version 8',
      '✗ error    Stripe: refuses the key',
      '             → Set it.',
    ]);
  });

  test('findings are one JSON object per line for a script', () => {
    const lines = formatFindings([FINE, ODD], true).split('\n');

    expect(lines.map((line) => JSON.parse(line))).toEqual([FINE, ODD]);
  });

  test('findings make a script fail only for an error', () => {
    expect(toExitCode([FINE, ODD])).toBe(0);
    expect(toExitCode([FINE, ODD, BROKEN])).toBe(1);
  });

  test('findings include a check that throws, and the next check runs', async () => {
    const findings = await runChecks({
      first: () => Promise.reject(new Error('no route to host')),
      second: () => Promise.resolve([FINE]),
    });

    expect(findings).toMatchObject([
      { check: 'first', level: 'error', message: expect.stringContaining('no route') },
      FINE,
    ]);
  });
});

test.for([
  [0, 'ok'],
  [59, 'ok'],
  [61, 'error'],
  [-61, 'error'],
] as const)('two clocks %i s apart are %s', ([seconds, level]) => {
  const ours = new Date('2026-11-20T09:00:00Z');
  const theirs = new Date(ours.getTime() + seconds * 1_000).toUTCString();

  expect(compareClocks(theirs, ours).level).toBe(level);
  expect(compareClocks(undefined, ours).level).toBe('ok');
});
