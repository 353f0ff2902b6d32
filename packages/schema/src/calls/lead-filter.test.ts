import { expect, test } from 'vitest';
import { leadFilterQuery } from './lead-filter.ts';

test('a filter treats an empty value as absent', () => {
  expect(
    leadFilterQuery.parse({ formType: '', startDate: '', endDate: '', search: '', source: '' }),
  ).toEqual({});
});

test('a filter removes characters that cannot be stored', () => {
  expect(leadFilterQuery.parse({ search: '\0', source: 'top\uD800_sub' })).toEqual({
    source: 'top_sub',
  });
  expect(leadFilterQuery.parse({ search: 'Prі\0ya 𝒳' })).toEqual({ search: 'Prіya 𝒳' });
});

test('a filter refuses an end date before the start date', () => {
  expect(
    leadFilterQuery.safeParse({ startDate: '2026-03-02', endDate: '2026-03-01' }).error?.issues,
  ).toMatchObject([{ path: ['endDate'], message: 'The end date is before the start date' }]);
});
