import { expect, test } from 'vitest';
import { leadFilterQuery } from './lead-filter.ts';

test('a filter treats an empty value as absent', () => {
  expect(
    leadFilterQuery.parse({ formType: '', startDate: '', endDate: '', search: '', source: '' }),
  ).toEqual({});
});
