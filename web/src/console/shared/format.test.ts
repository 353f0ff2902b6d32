import { expect, test } from 'vitest';
import {
  countRows,
  formatDateTime,
  formatDuration,
  formatFully,
  formatMoment,
  isSameDay,
} from './format.ts';

const now = new Date('2025-12-03T09:31:00Z');

test('an instant is shown on a London clock, in summer an hour ahead of UTC', () => {
  expect(formatMoment(new Date('2025-12-03T09:31:00Z'), now)).toBe('3 Dec, 09:31');
  expect(formatMoment(new Date('2025-07-01T23:30:00Z'), now)).toBe('2 Jul, 00:30');
});

test('every month is written with three letters', () => {
  expect(formatMoment(new Date('2025-09-11T12:00:00Z'), now)).toBe('11 Sep, 13:00');
  expect(formatMoment(new Date('2024-09-11T12:00:00Z'), now)).toBe('11 Sep 2024, 13:00');
});

test('the year is shown unless it is the present year', () => {
  expect(formatMoment(new Date('2024-12-31T12:00:00Z'), now)).toBe('31 Dec 2024, 12:00');
});

test('a date in a sentence has its year, and in a tooltip its seconds and zone too', () => {
  expect(formatDateTime(new Date('2025-07-01T23:30:07Z'))).toBe('2 Jul 2025, 00:30');
  expect(formatFully(new Date('2025-07-01T23:30:07Z'))).toBe('2 Jul 2025, 00:30:07 BST');
  expect(formatFully(new Date('2025-01-15T12:00:00Z'))).toBe('15 Jan 2025, 12:00:00 GMT');
});

test('two instants are on one day if they are in London', () => {
  expect(isSameDay(new Date('2025-07-01T22:59:00Z'), new Date('2025-07-01T12:00:00Z'))).toBe(true);
  expect(isSameDay(new Date('2025-07-01T23:00:00Z'), new Date('2025-07-01T12:00:00Z'))).toBe(false);
});

test.each([
  [-5_000, '0 seconds'],
  [1_000, '1 second'],
  [40_900, '40 seconds'],
  [119_000, '1 minute'],
  [11_100_000, '3 hours'],
  [172_799_000, '47 hours'],
  [172_800_000, '2 days'],
])('%d milliseconds read as "%s"', (durationMs, words) => {
  expect(formatDuration(durationMs)).toBe(words);
});

test('rows are counted in the owner’s words, the most important first', () => {
  expect(
    countRows({
      subscriber_tiers: 1,
      lead_sync_attempts: 2,
      submission_keys: 1,
      leads: 1,
      checkouts: 0,
    }),
  ).toBe('1 lead and 4 other records');
  expect(countRows({ free_access: 2, notes: 1 })).toBe('1 note and 2 grants of free access');
  expect(countRows({ stripe_watch: 1 })).toBe('1 record');
  expect(countRows({ leads: 0 })).toBe('');
});
