import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789';

/** Creates an id in Stripe's format: a prefix for the kind, then letters and digits. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${randomText(length)}`;
}

export function randomText(length: number): string {
  return Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Sets the properties that have a value. Undefined leaves a property as it was. */
export function assignGiven<T extends object>(
  target: T,
  given: { [K in keyof T]?: T[K] | undefined },
): void {
  Object.assign(
    target,
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );
}

/**
 * Returns the previous values of changed properties, as an "updated" event lists them, or
 * undefined.
 */
export function changedValues<T extends object>(before: T, after: T): Partial<T> | undefined {
  const entries = Object.entries(before).filter(
    ([key, value]) => !isDeepStrictEqual(value, after[key as keyof T]),
  );
  return entries.length > 0 ? (Object.fromEntries(entries) as Partial<T>) : undefined;
}
