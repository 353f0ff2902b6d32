import { expect, test } from 'vitest';
import { countRows } from './format-count.ts';

test('rows are counted in the owner’s words, the most important first', () => {
  expect(countRows({ subscriber_tiers: 1, lead_sync_attempts: 2, lead_repeats: 1, leads: 1, checkouts: 0 })).toBe(
    '1 lead, 1 place on the free or paid list, 2 attempts to send a lead and 1 repeat of a form',
  );
  expect(countRows({ complimentary_access: 2, notes: 1 })).toBe('1 note and 2 grants of free access');
  expect(countRows({ payer_mismatches: 1, retry_run_leads: 2 })).toBe(
    '1 payment from another address and 2 parts in bulk retries',
  );
});
