import { describe, expect, test } from 'vitest';
import {
  compareClocks,
  compareDateHeader,
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

describe('two clocks', () => {
  const ours = new Date('2026-11-20T09:00:00Z');
  const after = (seconds: number) => new Date(ours.getTime() + seconds * 1_000);

  test.for([
    [0, 'ok'],
    [4.9, 'ok'],
    [-5, 'warning'],
    [59, 'warning'],
    [60, 'error'],
    [-60, 'error'],
  ] as const)('two clocks %i s apart are %s', ([seconds, level]) => {
    expect(compareClocks('Postgres', after(seconds), ours).level).toBe(level);
  });

  test('two clocks are not compared if a response has no date', () => {
    expect(compareDateHeader('Stripe', undefined, ours)).toEqual([]);
    expect(compareDateHeader('Stripe', ours.toUTCString(), ours)).toMatchObject([{ level: 'ok' }]);
  });
});
