import type { Lead } from '@site/schema/lead';
import { useState } from 'react';

/** Leads ticked by hand. They stay ticked by their ids, whatever moves; what is not in the list is not counted. */
export function useSelection(leads: readonly Lead[], of: string) {
  const [ticked, setTicked] = useState<{ of: string; ids: ReadonlySet<string> }>({ of, ids: new Set() });
  // Another list begins with nothing ticked: what cannot be seen must not be acted upon.
  const ids = ticked.of === of ? ticked.ids : new Set<string>();
  const selected = leads.filter(({ id }) => ids.has(id));
  const set = (next: Iterable<string>) => setTicked({ of, ids: new Set(next) });
  return {
    ids,
    selected,
    isAll: leads.length > 0 && selected.length === leads.length,
    toggle: ({ id }: Lead) => set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]),
    toggleAll: () => set(selected.length === leads.length ? [] : leads.map(({ id }) => id)),
    clear: () => set([]),
  };
}
