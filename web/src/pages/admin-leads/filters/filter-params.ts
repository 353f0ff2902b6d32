import { leadListQuery } from '@site/schema/admin';
import type { LeadListQuery } from '@site/schema/admin';

/** What the list shows: the filter that list, counters and CSV share, and an order. Absent means all. */
export type ListFilter = Omit<LeadListQuery, 'cursor'>;

const { formType, startDate, endDate, status, subscriber, source, checkout, search, sort } = leadListQuery.shape;
const FIELDS = { formType, startDate, endDate, status, subscriber, source, checkout, search, sort };
type FieldName = keyof ListFilter;
const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

/** The filter that an address names. A value that means nothing counts as absent: an old link still opens. */
export function readFilter(params: URLSearchParams): ListFilter {
  const known = FIELD_NAMES.map((name) => [name, FIELDS[name].safeParse(params.get(name) ?? '').data] as const);
  return tidyFilter(Object.fromEntries(known));
}

/** The query of a filter, without its question mark: the page's own, and that of the calls it makes. */
export function toQuery(filter: ListFilter, cursor?: string): string {
  const tidy = tidyFilter(filter);
  const params = new URLSearchParams();
  for (const name of FIELD_NAMES) {
    const value = tidy[name];
    if (value !== undefined) params.set(name, value);
  }
  if (cursor !== undefined) params.set('cursor', cursor);
  return params.toString();
}

/** Whether anything narrows the list; an order does not. */
export function isNarrowed(filter: ListFilter): boolean {
  return toQuery({ ...filter, sort: undefined }) !== '';
}

/** The same filter without empty values and without the order that is the default anyway. */
function tidyFilter(filter: ListFilter): ListFilter {
  const kept = Object.entries(filter).filter(
    ([name, value]) => value !== undefined && value !== '' && !(name === 'sort' && value === 'newest'),
  );
  return Object.fromEntries(kept);
}
