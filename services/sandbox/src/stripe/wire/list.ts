import { integer, text } from './parameters.ts';
import { missing, onlyOneOf } from './stripe-fault.ts';

export const pageParameters = {
  limit: integer(1, 100).optional(),
  starting_after: text().optional(),
  ending_before: text().optional(),
};
export type PageParameters = {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
};

export type ListAnswer<T> = { object: 'list'; url: string; has_more: boolean; data: T[] };

const DEFAULT_LIMIT = 10;

/** True if the filter is absent or equals the value. */
export function isWanted<T>(value: T, wanted: T | undefined): boolean {
  return wanted === undefined || value === wanted;
}

/** Returns one page of a list in newest-first order. A cursor is the id of the item before or after the page. */
export function toPage<T extends { id: string }>(
  url: string,
  items: T[],
  page: PageParameters,
): ListAnswer<T> {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = page;
  if (after !== undefined && before !== undefined)
    throw onlyOneOf('starting_after', 'ending_before');
  if (before !== undefined) {
    const newer = items.slice(0, indexOf(items, before, 'ending_before'));
    return { object: 'list', url, has_more: newer.length > limit, data: newer.slice(-limit) };
  }
  const rest =
    after === undefined ? items : items.slice(indexOf(items, after, 'starting_after') + 1);
  return { object: 'list', url, has_more: rest.length > limit, data: rest.slice(0, limit) };
}

/** Returns a list inside another object, unpaged and in its own order. */
export function embeddedList<T>(url: string, data: T[]): ListAnswer<T> {
  return { object: 'list', url, has_more: false, data };
}

function indexOf(items: { id: string }[], id: string, param: string): number {
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) throw missing('object', id, param);
  return index;
}
