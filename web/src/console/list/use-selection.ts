import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';

export type Selection = ReturnType<typeof useSelection>;

type Chosen = { of: string; ids: ReadonlySet<string>; isWhole: boolean };

/** Holds which leads are selected, by id, so that they stay selected when the list changes. */
export function useSelection(leads: readonly ListedLead[], of: string) {
  const [chosen, setChosen] = useState<Chosen>({ of, ids: new Set(), isWhole: false });
  // Another list starts with no selection, so that nobody acts on leads that they cannot see.
  const ids = chosen.of === of ? chosen.ids : new Set<string>();
  const selected = leads.filter(({ id }) => ids.has(id));
  const set = (next: Iterable<string>, isWhole = false) => setChosen({ of, ids: new Set(next), isWhole });
  return {
    ids,
    selected,
    /** The whole list is meant, also what has not been loaded. */
    isWhole: chosen.isWhole && chosen.of === of,
    isAll: leads.length > 0 && selected.length === leads.length,
    toggle: ({ id }: ListedLead) => set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]),
    toggleAll: () => set(selected.length === leads.length ? [] : leads.map(({ id }) => id)),
    selectWhole: () => set(ids, true),
    clear: () => set([]),
  };
}
