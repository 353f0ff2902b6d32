import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatIssueTime,
  formatLondonTime,
  formatLongDate,
  londonDate,
  nextIssue,
} from './calendar.ts';

test('the next issue follows the sample issue week by week', () => {
  expect(nextIssue(new Date('2025-12-03T12:00:00Z'))).toEqual({
    number: 248,
    at: new Date('2025-12-09T09:00:00Z'),
  });
  expect(nextIssue(new Date('2025-12-09T08:59:59Z')).number).toBe(248);
  expect(nextIssue(new Date('2025-12-09T09:00:00Z')).number).toBe(249);
});

test('the next issue is always a Tuesday at nine within the coming week', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
      (now) => {
        const { at } = nextIssue(now);
        expect([at.getUTCDay(), at.getUTCHours()]).toEqual([2, 9]);
        expect(at.getTime() - now.getTime()).toBeGreaterThan(0);
        expect(at.getTime() - now.getTime()).toBeLessThanOrEqual(7 * 86_400_000);
      },
    ),
  );
});

test('a day is a day in London', () => {
  expect(londonDate(new Date('2026-06-30T23:30:00Z'))).toBe('2026-07-01');
  expect(formatLongDate(new Date('2025-12-10T10:00:00Z'))).toBe('Wednesday 10 December 2025');
});

test('London’s clock is that of the time zone database', () => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    dateStyle: 'full',
    timeStyle: 'short',
  });
  const hour = (at: Date) => Number(/ (\d\d):/.exec(format.format(at))?.[1]);
  const years = { min: new Date('2000-01-01'), max: new Date('2037-12-31'), noInvalidDate: true };
  const changes = fc
    .tuple(
      fc.integer({ min: 2000, max: 2037 }),
      fc.constantFrom(2, 9),
      fc.integer({ min: 24 * 24 * 60, max: 31 * 24 * 60 }),
    )
    .map(([year, month, minute]) => new Date(Date.UTC(year, month, 1, 0, minute)));
  fc.assert(
    fc.property(fc.oneof(fc.date(years), changes), (at) => {
      expect(format.format(at).replace(',', '')).toBe(
        `${formatLongDate(at)} at ${formatLondonTime(at)}`,
      );
      expect(formatIssueTime(at)).toBe(
        hour(at) === 9 ? '9AM GMT' : `9AM GMT (${hour(at)}AM UK time)`,
      );
    }),
  );
});

test('a day in summer is in British time', () => {
  expect(formatIssueTime(new Date('2025-12-09T09:00:00Z'))).toBe('9AM GMT');
  expect(formatIssueTime(new Date('2026-07-07T09:00:00Z'))).toBe('9AM GMT (10AM UK time)');
});
