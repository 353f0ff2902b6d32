import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';
import { toQuery } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import type { LiveLeads } from './use-live-leads.ts';

export type Selection = ReturnType<typeof useSelection>;

type Chosen = {
  of: string;
  known: ReadonlyMap<string, ListedLead>;
  /** Also what is not loaded: `left` if since then only loaded leads are meant. */
  whole?: 'meant' | 'left' | undefined;
  lastId?: string;
};

/** Holds which leads are selected, by id, so that they stay selected when the list changes. */
export function useSelection(
  { leads, hasMore }: Pick<LiveLeads, 'leads' | 'hasMore'>,
  filter: ListFilter,
) {
  const of = toQuery(filter);
  const none: Chosen = { of, known: new Map() };
  const [last, setChosen] = useState(none);
  // Another list starts with no selection, so that nobody acts on leads that they cannot see.
  const { whole, lastId = '', ...chosen } = last.of === of ? last : none;
  const shown = new Map(leads.map((lead) => [lead.id, lead]));
  // What joins a whole list is meant too, and its row says so.
  const known = whole === 'meant' ? shown : chosen.known;
  const end = hasMore ? leads.at(-1) : undefined;
  /** Selected, and pushed off the loaded rows by new leads. What is missing among the rows has left the list. */
  const further = [...known.values()].filter(
    (lead) => !shown.has(lead.id) && end && isAfter(lead, end, filter),
  );
  const selected = [...leads.filter(({ id }) => known.has(id)), ...further];
  const among = selected.length - further.length;
  const isAll = among > 0 && among === leads.length;
  const set = (next: Iterable<ListedLead>, more: Partial<Chosen> = {}) =>
    setChosen({ of, known: new Map(Array.from(next, (lead) => [lead.id, lead])), ...more });
  return {
    ids: known,
    selected,
    /** How many of them are not among the loaded rows. */
    further: further.length,
    /** The whole list is meant, also what has not been loaded. */
    isWhole: whole === 'meant' && hasMore,
    /** Of how many loaded leads they are what is left of the whole list. */
    leftOf:
      whole === 'left' && hasMore && !isAll && further.length === 0 ? leads.length : undefined,
    isAll,
    /** It has been all, so that all may be wanted again. */
    canBeWhole: isAll || whole === 'left',
    isMixed: among > 0 && !isAll,
    /** Selects a lead or takes it out; with `sinceLast`, all leads from the one toggled last to this one. */
    toggle: (lead: ListedLead, sinceLast = false) => {
      const ids = [...shown.keys()];
      const ends = [ids.indexOf(lead.id), ids.indexOf(lastId)];
      const range =
        sinceLast && !ends.includes(-1)
          ? leads.slice(Math.min(...ends), Math.max(...ends) + 1)
          : [lead];
      const rest = selected.filter(({ id }) => !range.some((one) => one.id === id));
      set(known.has(lead.id) ? rest : [...rest, ...range], {
        lastId: lead.id,
        whole: whole && 'left',
      });
    },
    toggleAll: () => set(isAll ? [] : [...leads, ...further]),
    /** Selects the whole list, or again only what is shown. */
    toggleWhole: () => set(selected, { whole: whole === 'meant' ? 'left' : 'meant' }),
    clear: () => set([]),
  };
}

const isAfter = (lead: ListedLead, end: ListedLead, { sort }: ListFilter) =>
  sort === 'oldest' ? lead.submittedAt >= end.submittedAt : lead.submittedAt <= end.submittedAt;
