import { expect, test } from 'vitest';
import { describePace } from './pace.ts';

const NOW = new Date('2025-12-03T09:31:00Z');
const counts = (total: number) => ({ total, preSample: total, preBuy: 0, beehiivSent: 0 });
const day = (name: string, preSample: number) => ({ day: name, preSample, preBuy: 1 });

test('the pace covers the chosen dates, whichever of them had leads', () => {
  const fortnight = { startDate: '2025-11-20', endDate: '2025-12-03' };
  expect(describePace(fortnight, counts(412), [day('2025-12-01', 411)], NOW)).toBe('29 a day');
  expect(describePace(fortnight, counts(30), [], NOW)).toBe('2.1 a day');
  expect(describePace(fortnight, counts(1), [], NOW)).toBe('under 0.1 a day');
  expect(describePace(fortnight, counts(0), [], NOW)).toBe('0 a day');
});

test('without a chosen start, the pace covers the days from the first lead until today or the chosen end', () => {
  const charted = [day('2025-11-24', 149), day('2025-12-03', 49)];
  expect(describePace({}, counts(200), charted, NOW)).toBe('20 a day');
  expect(describePace({ endDate: '2025-11-27' }, counts(200), charted, NOW)).toBe('50 a day');
});

test('there is no pace for a single day, or while it is unknown', () => {
  expect(describePace({}, counts(3), [day('2025-12-03', 2)], NOW)).toBeUndefined();
  expect(describePace({}, counts(3), [], NOW)).toBeUndefined();
  expect(describePace({ startDate: '2025-12-03', endDate: '2025-12-03' }, counts(3), [], NOW)).toBe(
    'in this filter',
  );
  expect(describePace({}, undefined, [], NOW)).toBeUndefined();
});
