import { expect, test } from 'vitest';
import { decimalsOf, formatMoney } from './money.ts';

test.for([
  [23_900, 'gbp', '£239.00'],
  [23_900, null, '£239.00'],
  [29_900, 'usd', 'US$299.00'],
  [29_905, 'eur', '€299.05'],
  [3_000, 'jpy', 'JP¥3,000'],
  [12_340, 'kwd', 'KWD 12.340'],
  // The currency has no decimals, but Stripe counts it in hundredths.
  [500_000, 'isk', 'ISK 5,000'],
] as const)('%s of %s is written %s', ([amount, currency, text]) => {
  expect(formatMoney(amount, currency).replaceAll(/\s/g, ' ')).toBe(text);
});

test('yen have no decimals, dinars three', () => {
  expect(['gbp', 'jpy', 'kwd'].map(decimalsOf)).toEqual([2, 0, 3]);
});
