import { invalidRequest, missing } from './stripe-fault.ts';

const MAX_DEPTH = 4;

/** Properties that hold one or more ids and can be expanded. */
const EXPANDABLE = new Set([
  'subscription',
  'customer',
  'balance_transaction',
  'invoice',
  'latest_invoice',
  'product',
  'coupon',
  'discounts',
]);

/** Finds the object with an id. `within` are the objects around it, the innermost last. */
export type FindObject = (id: string, within: object[]) => object | undefined;
/**
 * Returns a part that is left out unless it is expanded, such as a session's line items. `within`
 * as above.
 */
export type IncludePart = (
  parent: Record<string, unknown>,
  key: string,
  within: object[],
) => object | undefined;

/**
 * Copies an answer and replaces the ids at the given paths by their objects. Refuses the call if
 * one is missing.
 */
export function expandAnswer(
  answer: object,
  paths: string[],
  find: FindObject,
  include: IncludePart,
): object {
  const copy = structuredClone(answer);
  for (const path of paths) {
    const keys = path.split('.');
    if (keys.length > MAX_DEPTH)
      throw invalidRequest(`You cannot expand more than ${MAX_DEPTH} levels of a property`);
    expandPath(copy, keys, path, { find, include });
  }
  return copy;
}

function expandPath(
  parent: object,
  keys: string[],
  path: string,
  lookups: { find: FindObject; include: IncludePart },
  around: object[] = [],
): void {
  if (Array.isArray(parent)) {
    for (const item of parent as unknown[])
      if (isObject(item)) expandPath(item, keys, path, lookups, around);
    return;
  }
  const [key = '', ...rest] = keys;
  const holder = parent as Record<string, unknown>;
  const included = holder[key] === undefined ? lookups.include(holder, key, around) : undefined;
  if (included !== undefined) holder[key] = structuredClone(included);

  const within = [...around, parent];
  const value = holder[key];
  if (value === null) return;
  if (value === undefined || (rest.length === 0 && included === undefined && !EXPANDABLE.has(key)))
    throw refusal(path);
  if (EXPANDABLE.has(key)) {
    const toObject = (item: unknown) =>
      typeof item === 'string' ? lookUp(item, lookups.find, within) : item;
    holder[key] = Array.isArray(value) ? value.map(toObject) : toObject(value);
  }
  const expanded = holder[key];
  if (rest.length === 0) return;
  if (!isObject(expanded)) throw refusal(path);
  expandPath(expanded, rest, path, lookups, within);
}

function lookUp(id: string, find: FindObject, within: object[]): object {
  const object = find(id, within);
  if (!object) throw missing('object', id);
  return structuredClone(object);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refusal(path: string) {
  return invalidRequest(`This property cannot be expanded (${path}).`, 'expand');
}
