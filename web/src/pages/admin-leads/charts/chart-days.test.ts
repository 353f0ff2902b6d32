import { describe, expect, test } from 'vitest';
import { lastDays, toSteps } from './chart-days.ts';

const TODAY = '2025-11-02';
const day = (name: string, preBuy = 1) => ({ day: name, preSample: 0, preBuy });
const names = (...given: Parameters<typeof lastDays>) => lastDays(...given).map((each) => each.day);

describe('the days of a chart', () => {
  test('are the last ones up to today, with days without leads, over the end of a month and of summer time', () => {
    expect(lastDays([day('2025-10-25'), day('2025-10-27', 7), day('2025-11-01')], {}, TODAY, 8)).toEqual([
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

  test('end with the chosen range, and begin with it', () => {
    expect(names([], { endDate: '2025-02-02' }, TODAY, 3)).toEqual(['2025-01-31', '2025-02-01', '2025-02-02']);
    expect(names([], { startDate: '2025-11-01' }, TODAY, 14)).toEqual(['2025-11-01', '2025-11-02']);
    expect(names([], { startDate: '2025-10-30', endDate: '2026-01-01' }, TODAY, 2)).toEqual(['2025-11-01', TODAY]);
  });

  test('are none for a range that has not begun', () => {
    expect(names([], { startDate: '2025-11-03' }, TODAY, 14)).toEqual([]);
  });
});

describe('the steps of a chart', () => {
  const range = (startDate: string, endDate: string) =>
    lastDays([], { startDate, endDate }, endDate, 366).map((each) => ({ ...each, preBuy: 1 }));

  test('are days for a month, then weeks from Monday, then months', () => {
    expect(toSteps(range('2025-10-03', '2025-11-02')).step).toBe('day');
    const weeks = toSteps(range('2025-10-02', '2025-11-02'));
    expect(weeks.step).toBe('week');
    expect(weeks.steps).toEqual([
      { from: '2025-10-02', to: '2025-10-05', preSample: 0, preBuy: 4 },
      { from: '2025-10-06', to: '2025-10-12', preSample: 0, preBuy: 7 },
      { from: '2025-10-13', to: '2025-10-19', preSample: 0, preBuy: 7 },
      { from: '2025-10-20', to: '2025-10-26', preSample: 0, preBuy: 7 },
      { from: '2025-10-27', to: '2025-11-02', preSample: 0, preBuy: 7 },
    ]);
    const months = toSteps(range('2024-11-02', '2025-11-02'));
    expect(months.step).toBe('month');
    expect(months.steps).toHaveLength(13);
    expect(months.steps[0]).toEqual({ from: '2024-11-02', to: '2024-11-30', preSample: 0, preBuy: 29 });
    expect(months.steps.at(-1)).toEqual({ from: '2025-11-01', to: '2025-11-02', preSample: 0, preBuy: 2 });
  });
});
