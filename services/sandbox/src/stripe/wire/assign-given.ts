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
