import { describe, expect, test } from 'vitest';
import { countDays, describeDates, describeFilter } from './filter-labels.ts';

describe('countDays', () => {
  test('both ends count', () => {
    expect(countDays({ startDate: '2025-11-20', endDate: '2025-12-03' })).toBe(14);
    expect(countDays({ startDate: '2025-12-03', endDate: '2025-12-03' })).toBe(1);
  });

  test('the day the clocks change is one day like any other', () => {
    expect(countDays({ startDate: '2025-03-29', endDate: '2025-03-31' })).toBe(3);
  });

  test('an open end has no length', () => {
    expect(countDays({ startDate: '2025-12-03' })).toBeUndefined();
    expect(countDays({ startDate: '2025-12-04', endDate: '2025-12-03' })).toBeUndefined();
  });
});

describe('describeDates', () => {
  test.each([
    [{}, 'all dates'],
    [{ startDate: '2025-11-20' }, 'from 20 November 2025'],
    [{ endDate: '2025-12-03' }, 'up to 3 December 2025'],
    [{ startDate: '2025-12-03', endDate: '2025-12-03' }, '3 December 2025'],
    [{ startDate: '2025-11-20', endDate: '2025-12-03' }, '20 November to 3 December 2025'],
    [{ startDate: '2025-12-20', endDate: '2026-01-03' }, '20 December 2025 to 3 January 2026'],
  ])('%o reads "%s"', (dates, words) => {
    expect(describeDates(dates)).toBe(words);
  });
});

test('every filter that holds is named', () => {
  const filter = {
    formType: 'pre_buy',
    status: 'failed',
    endDate: '2025-12-03',
    checkout: 'abandoned',
    search: 'webb',
  } as const;

  expect(describeFilter(filter)).toBe('Pre-Buy, failed, up to 3 December 2025, abandoned checkout, matching “webb”');
});
