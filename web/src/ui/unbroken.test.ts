import { expect, test } from 'vitest';
import { joinUnbroken } from './unbroken.ts';

test('a number of days does not break', () => {
  expect(joinUnbroken('before day 7, in 3-5 business days, within 30 days')).toBe(
    'before day\u00a07, in 3-\u20605\u00a0business\u00a0days, within 30\u00a0days',
  );
});

test('a date keeps its year after a day of the week', () => {
  expect(joinUnbroken('to Friday 25 December 2026')).toBe('to Friday 25\u00a0December\u00a02026');
});

test('a date does not break, with its month written out or not', () => {
  expect(joinUnbroken('next 23 Nov, or 4 December 2025')).toBe(
    'next 23\u00a0Nov, or 4\u00a0December\u00a02025',
  );
});

test('an address does not break at a hyphen', () => {
  expect(joinUnbroken('to ann-lee@north-gate.example')).toBe(
    'to ann-\u2060lee@north-\u2060gate.example',
  );
});
