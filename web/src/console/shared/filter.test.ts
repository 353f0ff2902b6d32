import { FILTER_NAMES, LEAD_FILTERS } from '@site/schema/calls/lead-filter';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNarrowed, readFilter, toQuery } from './filter.ts';
import type { ListFilter } from './filter.ts';

const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const search = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .map((text) => text.trim())
  .filter((text) => text !== '' && text.length <= 200);
const texts = fc.oneof(search, day, fc.uuid({ version: 4 }), fc.constant('paying:button=top_sub'));
/** Returns any value that a filter accepts and keeps. */
const valueOf = (name: (typeof FILTER_NAMES)[number]): fc.Arbitrary<string> => {
  const { values, schema } = LEAD_FILTERS[name];
  return values
    ? fc.constantFrom(...values)
    : texts.filter((text) => schema.safeParse(text).data === text);
};
const filters = fc
  .record(
    {
      ...Object.fromEntries(FILTER_NAMES.map((name) => [name, valueOf(name)])),
      sort: fc.constant('oldest'),
    },
    { requiredKeys: [] },
  )
  .map(({ startDate, endDate, ...filter }: ListFilter) => {
    const [first, last] =
      startDate && endDate && endDate < startDate ? [endDate, startDate] : [startDate, endDate];
    return { ...filter, ...(first && { startDate: first }), ...(last && { endDate: last }) };
  });

test('a filter written to the URL is read back the same', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      expect(readFilter(new URLSearchParams(toQuery(filter)))).toEqual(filter);
    }),
  );
});

test('any URL gives a filter whose own URL is stable', () => {
  const anyValue = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    day,
    fc.constantFrom('', 'pre_buy', 'sent', 'newest'),
  );
  const names = fc.constantFrom(
    'formType',
    'startDate',
    'endDate',
    'status',
    'search',
    'sort',
    'utm_source',
  );

  fc.assert(
    fc.property(fc.array(fc.tuple(names, anyValue)), (pairs) => {
      const query = toQuery(readFilter(new URLSearchParams(pairs)));

      expect(toQuery(readFilter(new URLSearchParams(query)))).toBe(query);
    }),
  );
});

test('a value without a meaning is left out of a filter, and the rest holds', () => {
  const params = new URLSearchParams(
    'formType=nonsense&startDate=2025-13-40&status=failed&search=+&sort=newest',
  );

  expect(readFilter(params)).toEqual({ status: 'failed' });
});

test('the default view has an empty query', () => {
  expect(toQuery({ formType: undefined, search: '', sort: 'newest' })).toBe('');
});

test('an order alone hides no lead', () => {
  expect(isNarrowed({ sort: 'oldest' })).toBe(false);
  expect(isNarrowed({ sort: 'oldest', search: 'webb' })).toBe(true);
});
