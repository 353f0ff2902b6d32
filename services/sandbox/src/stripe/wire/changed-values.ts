import { isDeepStrictEqual } from 'node:util';

/** Returns the previous values of what changed, as an "updated" event lists them. */
export function changedValues<T extends object>(before: T, after: T): Partial<T> {
  const entries = Object.entries(before).filter(
    ([key, value]) => !isDeepStrictEqual(value, after[key as keyof T]),
  );
  return Object.fromEntries(entries) as Partial<T>;
}
