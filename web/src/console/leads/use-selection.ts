import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';
import { toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';

export type Selection = ReturnType<typeof useSelection>;

const NONE = { ids: new Set<string>(), isWhole: false };

/** Holds which leads are selected, by id: some of the loaded ones, or the whole list. Another list starts with none. */
export function useSelection(leads: readonly ListedLead[], filter: ListFilter) {
  const of = toQuery(filter);
  const [last, setLast] = useState({ of, ...NONE });
  const { ids, isWhole } = last.of === of ? last : NONE;
  const selected = leads.filter(({ id }) => isWhole || ids.has(id));
  const isAll = selected.length > 0 && selected.length === leads.length;
  const choose = (chosen: readonly ListedLead[], whole = false) =>
    setLast({ of, ids: new Set(chosen.map(({ id }) => id)), isWhole: whole });
  return {
    selected,
    /** The whole list is meant, with what has not been loaded. */
    isWhole,
    isAll,
    has: (lead: ListedLead) => selected.includes(lead),
    toggle: (lead: ListedLead) =>
      choose(
        selected.includes(lead) ? selected.filter((other) => other !== lead) : [...selected, lead],
      ),
    toggleAll: () => choose(isAll ? [] : leads),
    toggleWhole: () => choose(leads, !isWhole),
    clear: () => choose([]),
  };
}
