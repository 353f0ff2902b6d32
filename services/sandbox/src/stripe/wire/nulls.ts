/** Properties of Stripe's that have no value here. */
export const nulls = <const T extends string>(...names: T[]): Record<T, null> =>
  Object.fromEntries(names.map((name) => [name, null])) as Record<T, null>;
