import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPence, isUrgencyClaimStale, OFFER, withSampleSource } from './offer.ts';

test('pounds are written in the British way', () => {
  const britain = new Intl.NumberFormat('en-GB', { style: 'currency', currency: OFFER.currency });
  fc.assert(
    fc.property(fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }), (pence) => {
      expect(formatPence(pence, true)).toBe(britain.format(pence / 100));
      expect(formatPence(pence * 100)).toBe(britain.format(pence).replace('.00', ''));
    }),
  );
});

test('a passed price rise is found from its day on', () => {
  expect(isUrgencyClaimStale('launch', '2026-01-01', '2025-12-31')).toBe(false);
  expect(isUrgencyClaimStale('launch', '2026-01-01', '2026-01-01')).toBe(true);
  expect(isUrgencyClaimStale('standard', '2026-01-01', '2026-06-01')).toBe(false);
});

test('the upsell’s URL has the source and keeps Stripe’s fragment', () => {
  expect(withSampleSource('https://checkout.stripe.com/c/pay/cs_test_1#fid=abc%2Fdef')).toBe(
    'https://checkout.stripe.com/c/pay/cs_test_1?utm_source=sample&utm_medium=page&utm_campaign=upsell#fid=abc%2Fdef',
  );
});

test('the upsell’s URL keeps an existing query', () => {
  expect(withSampleSource('https://pay.example/?a=1')).toBe(
    'https://pay.example/?a=1&utm_source=sample&utm_medium=page&utm_campaign=upsell',
  );
});
