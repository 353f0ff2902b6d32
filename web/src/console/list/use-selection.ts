import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';

export type Selection = ReturnType<typeof useSelection>;

type Chosen = { of: string; ids: ReadonlySet<string>; isWhole?: boolean; lastId?: string };

/** Holds which leads are selected, by id, so that they stay selected when the list changes. */
export function useSelection(leads: readonly ListedLead[], of: string) {
  const none: Chosen = { of, ids: new Set() };
  const [last, setChosen] = useState(none);
  // Another list starts with no selection, so that nobody acts on leads that they cannot see.
  const { ids, isWhole = false, lastId = '' } = last.of === of ? last : none;
  const shown = leads.map(({ id }) => id);
  const selected = leads.filter(({ id }) => ids.has(id));
  const isAll = leads.length > 0 && selected.length === leads.length;
  const set = (next: Iterable<string>, more: Partial<Chosen> = {}) => setChosen({ of, ids: new Set(next), ...more });
  return {
    ids,
    selected,
    /** The whole list is meant, also what has not been loaded. */
    isWhole,
    isAll,
    /** Selects a lead or takes it out; with `sinceLast`, all leads from the one toggled last to this one. */
    toggle: ({ id }: ListedLead, sinceLast = false) => {
      const ends = [shown.indexOf(id), shown.indexOf(lastId)];
      const range = sinceLast && !ends.includes(-1) ? shown.slice(Math.min(...ends), Math.max(...ends) + 1) : [id];
      const others = [...ids].filter((other) => !range.includes(other));
      set(ids.has(id) ? others : [...others, ...range], { lastId: id });
    },
    toggleAll: () => set(isAll ? [] : shown),
    /** Selects the whole list, or again only what is shown. */
    toggleWhole: () => set(ids, { isWhole: !isWhole }),
    clear: () => set([]),
  };
}
