import { expect, test } from 'vitest';
import {
  formatPence,
  isUrgencyClaimStale,
  launchSavingPerYearPence,
  listPricePence,
  priceLookupKey,
  upsellPricePence,
} from './offer.ts';

test('the offer has the promised prices', () => {
  expect(formatPence(launchSavingPerYearPence())).toBe('£720');
  expect(formatPence(upsellPricePence('launch', 'monthly15'))).toBe('£203.15');
  expect(formatPence(upsellPricePence('launch', 'annual25'))).toBe('£2,151');
  expect(formatPence(listPricePence('standard', 'monthly'), true)).toBe('£299.00');
  expect(priceLookupKey('launch', 'annual')).toBe('launch_annual');
});

test('a stale claim of urgency is found from its day on', () => {
  expect(isUrgencyClaimStale('launch', '2026-01-01', '2025-12-31')).toBe(false);
  expect(isUrgencyClaimStale('launch', '2026-01-01', '2026-01-01')).toBe(true);
  expect(isUrgencyClaimStale('standard', '2026-01-01', '2026-06-01')).toBe(false);
});
