import { expect, test } from 'vitest';
import { lastDays } from './chart-days.ts';

const TODAY = '2025-11-02';
const day = (name: string, preBuy = 1) => ({ day: name, preSample: 0, preBuy });
const names = (...given: Parameters<typeof lastDays>) => lastDays(...given).map((each) => each.day);

test('a chart’s days are the last ones up to today, with days without leads, over the end of a month and of summer time', () => {
  expect(
    lastDays([day('2025-10-25'), day('2025-10-27', 7), day('2025-11-01')], {}, TODAY, 8),
  ).toEqual([
    day('2025-10-26', 0),
    day('2025-10-27', 7),
    day('2025-10-28', 0),
    day('2025-10-29', 0),
    day('2025-10-30', 0),
    day('2025-10-31', 0),
    day('2025-11-01'),
    day('2025-11-02', 0),
  ]);
});

test('a chart’s days begin with the first lead, and are never fewer than a fortnight without a chosen start', () => {
  expect(names([day('2025-11-01')], {}, TODAY, 366)).toHaveLength(14);
  expect(names([day('2025-09-01')], {}, TODAY, 366)[0]).toBe('2025-09-01');
});

test('a chart’s days begin and end with the chosen range', () => {
  expect(names([], { endDate: '2025-02-02' }, TODAY, 3)).toEqual([
    '2025-01-31',
    '2025-02-01',
    '2025-02-02',
  ]);
  expect(names([], { startDate: '2025-11-01' }, TODAY, 14)).toEqual(['2025-11-01', '2025-11-02']);
  expect(names([], { startDate: '2025-10-30', endDate: '2026-01-01' }, TODAY, 2)).toEqual([
    '2025-11-01',
    TODAY,
  ]);
});

test('a chart has no days for a range that has not begun', () => {
  expect(names([], { startDate: '2025-11-03' }, TODAY, 14)).toEqual([]);
});
