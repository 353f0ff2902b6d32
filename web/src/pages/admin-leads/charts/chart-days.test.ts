import { describe, expect, it } from 'vitest';
import { everyDay } from './chart-days.ts';

const day = (name: string, preBuy = 1) => ({ day: name, preSample: 0, preBuy });

describe('the days of a chart', () => {
  it('show a day without a lead as one, over the end of a month and of summer time', () => {
    expect(everyDay([day('2025-10-25'), day('2025-10-27'), day('2025-11-01')])).toEqual([
      day('2025-10-25'),
      day('2025-10-26', 0),
      day('2025-10-27'),
      day('2025-10-28', 0),
      day('2025-10-29', 0),
      day('2025-10-30', 0),
      day('2025-10-31', 0),
      day('2025-11-01'),
    ]);
  });

  it('are the last 31, however long ago the first lead came', () => {
    const days = everyDay([day('2024-02-29'), day('2025-12-03', 7)]);
    expect(days).toHaveLength(31);
    expect(days[0]).toEqual(day('2025-11-03', 0));
    expect(days[30]).toEqual(day('2025-12-03', 7));
  });

  it('are none without a lead, and one where all came on it', () => {
    expect(everyDay([])).toEqual([]);
    expect(everyDay([day('2025-12-03')])).toEqual([day('2025-12-03')]);
  });
});
