import type { LeadCountsAnswer } from '@site/schema/admin';
import type { LiveEvent } from '@site/schema/console';
import type { Lead } from '@site/schema/lead';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { callApi } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { newest } from './newest-lead.ts';
import { useLiveEvents } from './use-live-events.ts';
import type { useLeads } from '../list/use-leads.ts';
import { usePolling } from '../use-polling.ts';
import { useSoon } from '../use-soon.ts';

const COUNT_AGAIN_MS = 500;
const WITHOUT_STREAM_MS = 5_000;
/** Beyond so many the list is loaded anew rather than patched further. */
const MOST_PATCHES = 2_000;

type LiveLeadsOptions = {
  filter: ListFilter;
  list: ReturnType<typeof useLeads>;
  onSignedOut: () => void;
  /** What else may have to be read again. */
  onEvent: (event: LiveEvent) => void;
};

/**
 * The list as it is now: statuses and counters change in their places, and nothing else moves. How many leads
 * came above it is told; they are shown when the operator asks.
 */
export function useLiveLeads({ filter, list, onSignedOut, onEvent }: LiveLeadsOptions) {
  const [patches, setPatches] = useState<ReadonlyMap<string, Lead | null>>(new Map());
  const [counted, setCounted] = useState<{ of: string; at: Date; answer: LeadCountsAnswer }>();
  const { topCursor } = list;
  const of = `${toQuery({ ...filter, sort: undefined })} ${topCursor ?? ''}`;

  const count = async () => {
    const params = new URLSearchParams(toQuery({ ...filter, sort: undefined }));
    if (topCursor && filter.sort !== 'oldest') params.set('newerThan', topCursor);
    try {
      const answer = await callApi('GET', `/api/admin/leads/counts?${params.toString()}`);
      setCounted({ of, at: new Date(), answer: (await answer.json()) as LeadCountsAnswer });
    } catch (error) {
      // The next change asks again; a session that is over is another matter.
      if (isSignedOut(error)) onSignedOut();
    }
  };
  const countSoon = useSoon(COUNT_AGAIN_MS, () => void count());

  const isOnItsWay = !list.hasLoaded && list.fault === undefined;
  const hasMissed = useRef(false);
  const isLive = useLiveEvents((event) => {
    onEvent(event);
    const isNothingShown = list.leads.length === 0 && event.leads.length > 0;
    if (event.isReload || (isNothingShown && !isOnItsWay) || patches.size > MOST_PATCHES) {
      setPatches(new Map());
      void list.refresh();
    } else if (event.leads.length + event.gone.length > 0) {
      setPatches((known) => patch(known, event));
      countSoon();
      // Asking again would throw away the answer that is on its way: on a slow network none would ever come.
      if (isNothingShown) hasMissed.current = true;
    }
  }, onSignedOut);
  usePolling(isLive ? null : WITHOUT_STREAM_MS, list.refresh);

  const catchUp = useEffectEvent(() => {
    if (hasMissed.current && list.leads.length === 0) void list.refresh();
    hasMissed.current = false;
  });
  useEffect(() => {
    if (!isOnItsWay) catchUp();
  }, [isOnItsWay]);

  const leads = useMemo(() => applyPatches(list.leads, patches), [list.leads, patches]);
  const isCountNews = counted !== undefined && counted.of === of && counted.at > (list.checkedAt ?? counted.at);
  const now = isCountNews ? counted.answer : undefined;
  return {
    ...list,
    leads,
    isLive,
    counts: now?.counts ?? list.counts,
    statusCounts: now ? { ...now.statusCounts, all: now.counts.total } : list.statusCounts,
    isCapped: now?.isCapped ?? list.isCapped,
    /** Leads that came above the first one shown. */
    newer: now?.newer ?? 0,
  };
}

function patch(known: ReadonlyMap<string, Lead | null>, { leads, gone }: LiveEvent): Map<string, Lead | null> {
  const next = new Map(known);
  for (const lead of leads) next.set(lead.id, lead);
  for (const id of gone) next.set(id, null);
  return next;
}

function applyPatches(leads: readonly Lead[], patches: ReadonlyMap<string, Lead | null>): Lead[] {
  return leads.flatMap((lead) => {
    const patched = patches.get(lead.id);
    return patched === null ? [] : [newest(lead, patched)];
  });
}
