import { describe, expect, test } from 'vitest';
import { leadFilterQuery } from './admin.ts';

describe('a filter of leads', () => {
  test('takes an empty value for none', () => {
    expect(leadFilterQuery.parse({ formType: '', startDate: '', endDate: '', search: '', source: '' })).toEqual({});
  });

  test('forgets what cannot be stored, and so cannot be found', () => {
    expect(leadFilterQuery.parse({ search: '\0', source: 'top\uD800_sub' })).toEqual({ source: 'top_sub' });
    expect(leadFilterQuery.parse({ search: 'Prі\0ya 𝒳' })).toEqual({ search: 'Prіya 𝒳' });
  });

  test('refuses days that are crossed', () => {
    expect(leadFilterQuery.safeParse({ startDate: '2026-03-02', endDate: '2026-03-01' }).error?.issues).toMatchObject([
      { path: ['endDate'], message: 'The end date is before the start date' },
    ]);
  });
});
