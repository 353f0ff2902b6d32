import { describe, expect, test } from 'vitest';
import { error, formatFindings, ok, runChecks, warning } from './findings.ts';

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
