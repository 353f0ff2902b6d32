/** Objects of one kind by id, in the order in which they were made. */
export type Collection<T extends { id: string }> = {
  /** Newest first: the order of every list. */
  newestFirst(): T[];
  find(id: string): T | undefined;
  insert(item: T): T;
  remove(id: string): void;
  load(items: T[]): void;
  snapshot(): T[];
};

export function createCollection<T extends { id: string }>(): Collection<T> {
  let items = new Map<string, T>();
  return {
    newestFirst: () => [...items.values()].toReversed(),
    find: (id) => items.get(id),
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
