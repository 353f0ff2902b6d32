import { missing } from './stripe-fault.ts';

/** Objects of one kind by id, kept in the order in which they were created. */
export type Collection<T extends { id: string }> = {
  /** The order of every list. */
  newestFirst(): T[];
  find(id: string): T | undefined;
  /**
   * Finds an object or throws Stripe's "No such …". `param` is the parameter that held the id, if
   * not the path.
   */
  get(id: string, param?: string): T;
  insert(item: T): T;
  remove(id: string): void;
  load(items: T[]): void;
  snapshot(): T[];
};

export type Collections = Record<string, Collection<{ id: string }>>;
/** The contents of a set of collections, as the state file keeps them. */
export type Contents<C extends Collections> = { [K in keyof C]: ReturnType<C[K]['snapshot']> };

/** `kind` is the object's name in Stripe's error messages. */
export function createCollection<T extends { id: string }>(kind: string): Collection<T> {
  let items = new Map<string, T>();
  return {
    newestFirst: () => [...items.values()].toReversed(),
    find: (id) => items.get(id),
    get(id, param) {
      const item = items.get(id);
      if (!item) throw missing(kind, id, param);
      return item;
    },
    insert(item) {
      items.set(item.id, item);
      return item;
    },
    remove: (id) => void items.delete(id),
    load(loaded) {
      items = new Map(loaded.map((item) => [item.id, item]));
    },
    snapshot: () => [...items.values()],
  };
}

export function contentsOf<C extends Collections>(collections: C): Contents<C> {
  const entries = Object.entries(collections).map(([name, collection]) => [
    name,
    collection.snapshot(),
  ]);
  return Object.fromEntries(entries) as Contents<C>;
}

/** Replaces the collections' contents. A collection missing from `contents` is emptied. */
export function loadContents<C extends Collections>(
  collections: C,
  contents: Partial<Contents<C>>,
): void {
  const loaded: Record<string, { id: string }[] | undefined> = contents;
  for (const [name, collection] of Object.entries(collections)) collection.load(loaded[name] ?? []);
}
