import { z } from 'zod';
import { integer, parseParameters, text } from './parameters.ts';
import { missing, onlyOneOf } from './stripe-fault.ts';

export type Method = 'get' | 'post' | 'delete';

/** One call of the API: its URL, its parameters and its effect. */
export type Endpoint = {
  method: Method;
  path: string;
  /** Parses the parameters, or throws a fault. Returns the remaining work. */
  prepare: (raw: Record<string, unknown>, id: string) => { expand: string[]; run: () => object };
};

const expand = z.array(text()).max(20).optional();

/**
 * Declares a call. Unknown parameters are refused, and `expand` is accepted everywhere. `id` is the
 * id in the path.
 */
export function endpoint<Shape extends z.ZodRawShape>(
  method: Method,
  path: string,
  shape: Shape,
  run: (params: z.output<z.ZodObject<Shape>>, id: string) => object,
): Endpoint {
  const schema = z.strictObject({ ...shape, expand });
  return {
    method,
    path,
    prepare(raw, id) {
      const { expand: paths = [], ...rest } = parseParameters(schema, raw) as { expand?: string[] };
      return { expand: paths, run: () => run(rest as z.output<z.ZodObject<Shape>>, id) };
    },
  };
}

/** Declares the call that reads one object of a collection. */
export function retrieve(path: string, collection: { get(id: string): object }): Endpoint {
  return endpoint('get', `${path}/:id`, {}, (_params, id) => collection.get(id));
}

type Listed = { id: string };

const pageParameters = {
  limit: integer(1, 100).optional(),
  starting_after: text().optional(),
  ending_before: text().optional(),
};
type Page = z.output<z.ZodObject<typeof pageParameters>>;

const DEFAULT_LIMIT = 10;

/**
 * Declares the call that lists a collection, the newest first. `filters` are further parameters. By
 * default (`isWanted`), an object is listed if its properties have the given values.
 */
export function list<T extends Listed, Shape extends z.ZodRawShape>(
  path: string,
  collection: { newestFirst(): T[] },
  filters: Shape = {} as Shape,
  isWanted: (item: T, wanted: z.output<z.ZodObject<Shape>>) => boolean = hasValues,
): Endpoint {
  return endpoint('get', path, { ...filters, ...pageParameters }, (params) => {
    const { limit, starting_after, ending_before, ...wanted } = params as Page;
    const items = collection
      .newestFirst()
      .filter((item) => isWanted(item, wanted as z.output<z.ZodObject<Shape>>));
    return toPage(`/v1${path}`, items, { limit, starting_after, ending_before });
  });
}

/** True if each of these values is undefined, or the object's own. */
export function hasValues(item: object, wanted: object): boolean {
  const own = new Map(Object.entries(item));
  return Object.entries(wanted).every(
    ([name, value]) => value === undefined || own.get(name) === value,
  );
}

/** Returns one page. A cursor is the id of the item before or after the page. */
function toPage(url: string, items: Listed[], page: Page) {
  const { limit = DEFAULT_LIMIT, starting_after: after, ending_before: before } = page;
  if (after !== undefined && before !== undefined)
    throw onlyOneOf('starting_after', 'ending_before');
  if (before !== undefined) {
    const newer = items.slice(0, indexOf(items, before, 'ending_before'));
    return { ...embeddedList(url, newer.slice(-limit)), has_more: newer.length > limit };
  }
  const rest =
    after === undefined ? items : items.slice(indexOf(items, after, 'starting_after') + 1);
  return { ...embeddedList(url, rest.slice(0, limit)), has_more: rest.length > limit };
}

/** Returns a list inside another object, unpaged and in its own order. */
export function embeddedList<T>(url: string, data: T[]) {
  return { object: 'list' as const, url, has_more: false, data };
}

function indexOf(items: Listed[], id: string, param: string): number {
  const index = items.findIndex((item) => item.id === id);
  if (index === -1) throw missing('object', id, param);
  return index;
}
