import { expect, test } from 'vitest';
import { toDatesText, toFilterText } from './filter-labels.ts';
import type { ListFilter } from '../shared/filter.ts';

test.each([
  [{}, 'all dates'],
  [{ startDate: '2025-11-20' }, 'from 20 November 2025'],
  [{ endDate: '2025-12-03' }, 'up to 3 December 2025'],
  [{ startDate: '2025-12-03', endDate: '2025-12-03' }, '3 December 2025'],
  [{ startDate: '2025-11-20', endDate: '2025-12-03' }, '20 November to 3 December 2025'],
  [{ startDate: '2025-12-20', endDate: '2026-01-03' }, '20 December 2025 to 3 January 2026'],
])('the dates %o read "%s"', (dates, words) => {
  expect(toDatesText(dates)).toBe(words);
});

test('a filter is described by all its parts', () => {
  const filter: ListFilter = {
    formType: 'pre_buy',
    status: 'failed',
    startDate: '2025-12-03',
    endDate: '2025-12-03',
    subscriber: 'awaiting',
    source: 'nav_sub',
    without: 'source',
    checkout: 'abandoned',
    stage: 'dunning',
    bulkRetry: '0b9dfc8e-4b8f-4c8d-9d70-1a2b3c4d5e6f',
    funnel: 'paying:button=top_sub',
    search: 'webb',
  };

  expect(toFilterText(filter)).toBe(
    'Pre-Buy, failed, 3 December 2025, awaiting confirmation, from “Menu bar”, without a source, abandoned checkouts, subscription payment failed, of one bulk retry, people who pay, from “Top of the page”, matching “webb”',
  );
});
