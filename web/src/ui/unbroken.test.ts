import { expect, test } from 'vitest';
import { joinUnbroken } from './unbroken.ts';

test('a date does not break between its day and its month, written out or not', () => {
  expect(joinUnbroken('next 23 Nov, or 4 December 2025')).toBe('next 23\u00a0Nov, or 4\u00a0December 2025');
});
