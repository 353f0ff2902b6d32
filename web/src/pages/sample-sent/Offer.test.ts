import { expect, test } from 'vitest';
import { offerSum } from './Offer.tsx';

test('the monthly offer of the launch is £203.15, £430.20 less over a year', () => {
  const { terms, result, year, saving } = offerSum('launch', 'monthly15');

  expect(terms.map(({ value }) => value)).toEqual(['£239.00', '−£35.85']);
  expect([result.value, year, saving]).toEqual(['£203.15', '£203.15 × 12 = £2,437.80', '£430.20']);
});

test('the annual offer of the launch is £2,151, £717 less over a year', () => {
  const { terms, result, year, saving } = offerSum('launch', 'annual25');

  expect(terms.map(({ value }) => value)).toEqual(['£2,868.00', '−£717.00']);
  expect([result.value, year, saving]).toEqual([
    '£2,151.00',
    '£179.25 × 12 = £2,151.00',
    '£717.00',
  ]);
});

test('after the launch no launch price is mentioned', () => {
  expect(
    JSON.stringify([offerSum('standard', 'monthly15'), offerSum('standard', 'annual25')]),
  ).not.toMatch(/launch/i);
});
