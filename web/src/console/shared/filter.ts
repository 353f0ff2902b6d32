import { leadListQuery } from '@site/schema/calls/leads';
import type { LeadListQuery } from '@site/schema/calls/leads';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ConsoleView } from '../navigation.ts';

/**
 * The filter that list, counters and CSV share, and the order of the list. An absent field means
 * all.
 */
export type ListFilter = Omit<LeadListQuery, 'cursor' | 'upTo'>;

const { cursor: _, upTo: _upTo, ...FIELDS } = leadListQuery.shape;
type FieldName = keyof ListFilter;
const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** Reads the filter of a URL. An invalid value counts as absent, so that old links still open. */
export function readFilter(params: URLSearchParams): ListFilter {
  const entries = FIELD_NAMES.map(
    (name) => [name, FIELDS[name].safeParse(params.get(name) ?? '').data] as const,
  );
  const filter: ListFilter = Object.fromEntries(entries);
  const { startDate, endDate } = filter;
  return tidyFilter(
    startDate && endDate && endDate < startDate
      ? { ...filter, startDate: undefined, endDate: undefined }
      : filter,
  );
}

export function toQuery(filter: ListFilter): string {
  const tidy = tidyFilter(filter);
  const params = new URLSearchParams();
  for (const name of FIELD_NAMES) {
    const value = tidy[name];
    if (value !== undefined) params.set(name, value);
  }
  return params.toString();
}

/** Writes the query of a view that follows a filter. Without a view, writes the list's. */
export function toSearch(filter: ListFilter, view?: ConsoleView): string {
  return [view && `view=${view}`, toQuery(filter)].filter(Boolean).join('&');
}

/** Returns the filter without its order, for calls that ignore the order. */
export function withoutSort(filter: ListFilter): ListFilter {
  return { ...filter, sort: undefined };
}

/** Returns the filter for counters and charts. A status narrows only the list. */
export function withoutStatus(filter: ListFilter): ListFilter {
  return { ...filter, status: undefined };
}

export function isNarrowed(filter: ListFilter): boolean {
  return toQuery(withoutSort(filter)) !== '';
}

/** Returns the filter without empty values and without the default order. */
function tidyFilter(filter: ListFilter): ListFilter {
  const kept = Object.entries(filter).filter(
    ([name, value]) =>
      value !== undefined && value !== '' && !(name === 'sort' && value === 'newest'),
  );
  return Object.fromEntries(kept);
}

/**
 * Returns the filter in the URL, as the same object until it changes, and a function that shows
 * another in the same view.
 */
export function useFilter(view?: ConsoleView) {
  const [params, setParams] = useSearchParams();
  const query = toQuery(readFilter(params));
  const filter = useMemo(() => readFilter(new URLSearchParams(query)), [query]);
  return {
    filter,
    showFilter: (wanted: ListFilter, how?: { replace: boolean }) =>
      setParams(toSearch(wanted, view), how),
  };
}
