import type { LeadInList } from '@site/schema/stored-lead';
import { useState } from 'react';
import { toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';

export type Selection = ReturnType<typeof useSelection>;

/** Holds the selected leads. Another filter starts with none. */
export function useSelection(leads: readonly LeadInList[], filter: ListFilter) {
  const of = toQuery(filter);
  const [last, setLast] = useState({ of, ids: new Set<string>() });
  const selected = last.of === of ? leads.filter(({ id }) => last.ids.has(id)) : [];
  const isAll = selected.length > 0 && selected.length === leads.length;
  const choose = (chosen: readonly LeadInList[]) =>
    setLast({ of, ids: new Set(chosen.map(({ id }) => id)) });
  return {
    selected,
    isAll,
    isMixed: selected.length > 0 && !isAll,
    nameOf: ({ name, email }: LeadInList) => name ?? email,
    has: (lead: LeadInList) => selected.includes(lead),
    toggle: (lead: LeadInList) =>
      choose(
        selected.includes(lead) ? selected.filter((other) => other !== lead) : [...selected, lead],
      ),
    toggleAll: () => choose(isAll ? [] : leads),
    clear: () => choose([]),
  };
}
