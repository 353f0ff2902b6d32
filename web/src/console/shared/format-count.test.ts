import { expect, test } from 'vitest';
import { countRows } from './format-count.ts';

test('rows are counted in the owner’s words, the most important first', () => {
  expect(
    countRows({
      subscriber_tiers: 1,
      lead_sync_attempts: 2,
      lead_repeats: 1,
      leads: 1,
      checkouts: 0,
    }),
  ).toBe('1 lead and 4 other records');
  expect(countRows({ complimentary_access: 2, notes: 1 })).toBe(
    '1 note and 2 grants of free access',
  );
  expect(countRows({ stripe_watch: 1 })).toBe('1 record');
  expect(countRows({ leads: 0 })).toBe('');
});
