import type { LeadStatusFilter } from '@site/schema/calls/lead-filter';
import type { LeadCountsAnswer } from '@site/schema/calls/leads';
import type { LiveEvent } from '@site/schema/calls/sync';
import type { ListedLead } from '@site/schema/stored-lead';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { toQuery, withoutSort, withoutStatus } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { shownStatus } from '../lead/lead-labels.ts';
import { newest } from '../lead/newest-lead.ts';
import { useLiveEvents, useUpdates } from '../api/LiveUpdates.tsx';
import { useSession } from '../session/session.tsx';
import { useDelayed } from '../shared/use-delayed.ts';
import { usePolling } from '../api/use-polling.ts';
import { useThrottledTask } from '../api/use-throttled-task.ts';
import { useLeads } from './use-leads.ts';

const COUNT_AGAIN_MS = 500;
/** Until then a lead that leaves and comes back is counted before its row follows. */
const JOINED_AFTER_MS = 1_500;
const WITHOUT_STREAM_MS = 5_000;
/** From here on it is cheaper to load the list again than to keep patching it. */
const MAX_PATCHES = 2_000;

/** What events have said since the list was loaded, by lead. A deleted one is null. */
type Patches = ReadonlyMap<string, ListedLead | null>;

export type LiveLeads = ReturnType<typeof useLiveLeads>;

/**
 * Keeps the list of a filter up to date. Statuses and counters change in place. New leads above the list are only
 * counted: `use-arrivals.ts` says when they enter it.
 */
export function useLiveLeads(filter: ListFilter) {
  const list = useLeads(filter);
  const { isLive, setStaleSince } = useUpdates();
  const { call } = useSession();
  const [patches, setPatches] = useState<Patches>(new Map());
  const [counted, setCounted] = useState<{
    of: string;
    at: Date;
    moved: number;
    answer: LeadCountsAnswer;
  }>();
  const { isRefreshFailing, loadedAt } = list;
  const topCursor = useNewestShown(list, toQuery(filter));
  const { status } = filter;
  const of = `${toQuery(withoutSort(filter))} ${topCursor ?? ''}`;
  const left = status === undefined ? 0 : countMoved(list.leads, patches, status);

  const count = async () => {
    // The events that a hidden tab misses arrive when it is visible again, and then it counts.
    if (document.visibilityState === 'hidden') return;
    const newerThan = filter.sort === 'oldest' ? null : topCursor;
    try {
      const answer = await call('GET /api/admin/leads/counts', {
        query: { ...withoutSort(filter), newerThan },
      });
      setCounted({ of, at: new Date(), moved: left, answer });
    } catch {
      // The next event counts again.
    }
  };
  const countSoon = useThrottledTask(COUNT_AGAIN_MS, () => void count());

  const isFirstLoad = !list.hasLoaded && list.fault === undefined;
  const hasMissed = useRef(false);
  useLiveEvents((event) => {
    const isEmpty = list.leads.length === 0 && event.leads.length > 0;
    if (event.isReload || (isEmpty && !isFirstLoad) || patches.size > MAX_PATCHES) {
      setPatches(new Map());
      return list.reload();
    }
    // The stages of the rows come with the list.
    if (event.hasMoneyChanged) void list.reload();
    if (event.leads.length + event.gone.length > 0) {
      setPatches((known) => patch(known, event));
      countSoon();
      // Loading again now would discard the answer that is on its way. On a slow network none would ever arrive.
      if (isEmpty) hasMissed.current = true;
    }
    return undefined;
  });
  usePolling(isLive ? null : WITHOUT_STREAM_MS, list.reload);

  const catchUp = useEffectEvent(() => {
    if (hasMissed.current && list.leads.length === 0) void list.reload();
    hasMissed.current = false;
  });
  useEffect(() => {
    if (!isFirstLoad) catchUp();
  }, [isFirstLoad]);

  useEffect(() => {
    setStaleSince(isRefreshFailing ? loadedAt : undefined);
    return () => setStaleSince(undefined);
  }, [isRefreshFailing, loadedAt, setStaleSince]);

  const leads = useMemo(() => applyPatches(list.leads, patches), [list.leads, patches]);
  const isCountNewer =
    counted !== undefined && counted.of === of && counted.at > (loadedAt ?? counted.at);
  const now = isCountNewer ? counted.answer : undefined;
  const known = useLastCounts(now ?? list.counted, filter, list);
  const moved = now ? left : 0;
  const joined =
    status && now && !now.isCapped
      ? countJoined(list, now, status) + Math.min(moved, counted?.moved ?? 0)
      : 0;
  const haveJoined = useDelayed(joined > 0, JOINED_AFTER_MS);
  return {
    ...list,
    leads,
    counts: known?.counts,
    statusCounts: known && { ...known.statusCounts, all: known.counts.total },
    subscribers: known?.subscribers,
    isCapped: known?.isCapped ?? false,
    /** How many leads have arrived above the first one shown. */
    newer: now?.newer ?? 0,
    /** How many leads keep their place in the list although the counts no longer have them in its tab. */
    moved,
    /** How many leads its tab has by now that are neither in the list nor above it. */
    joined: haveJoined ? joined : 0,
  };
}

/** Returns the cursor of the newest lead that the list of a filter has shown. One that left it and is back is not new. */
function useNewestShown(
  { leads, topCursor, hasLoaded }: ReturnType<typeof useLeads>,
  of: string,
): string | null {
  const [newest, setNewest] = useState<Record<string, { at: string; cursor: string }>>({});
  const [at, known] = [leads[0]?.submittedAt, newest[of]];
  if (hasLoaded && at && topCursor && topCursor !== known?.cursor && at >= (known?.at ?? ''))
    setNewest({ ...newest, [of]: { at, cursor: topCursor } });
  return known?.cursor ?? topCursor;
}

type Counts = Omit<LeadCountsAnswer, 'newer'>;

/**
 * Keeps the last counts of a filter for its other statuses, on which no count depends, if their list cannot be loaded. While
 * another filter loads slowly there are none: the old ones would stand below its name.
 */
function useLastCounts(
  counts: Counts | undefined,
  filter: ListFilter,
  { hasLoaded, isSlow }: Pick<ReturnType<typeof useLeads>, 'hasLoaded' | 'isSlow'>,
): Counts | undefined {
  const of = toQuery(withoutSort(withoutStatus(filter)));
  const [last, setLast] = useState<{ of: string; counts: Counts }>();
  // While another list loads, the counts are still those of the one before.
  if (counts && hasLoaded && (last?.of !== of || last.counts !== counts)) setLast({ of, counts });
  const isOwn = last?.of === of;
  return (isOwn || !isSlow ? counts : undefined) ?? (isOwn ? last.counts : undefined);
}

function patch(known: Patches, { leads, gone }: LiveEvent): Map<string, ListedLead | null> {
  const next = new Map(known);
  for (const lead of leads) next.set(lead.id, lead);
  for (const id of gone) next.set(id, null);
  return next;
}

/** How many more leads a tab has than were listed, without those above the list. A list with more pages is as long as it was counted. */
function countJoined(
  { hasMore, counted, leads }: ReturnType<typeof useLeads>,
  { statusCounts, newer }: LeadCountsAnswer,
  status: LeadStatusFilter,
): number {
  const listed = hasMore && counted ? counted.statusCounts[status] : leads.length;
  return statusCounts[status] - newer - listed;
}

function countMoved(
  loaded: readonly ListedLead[],
  patches: Patches,
  status: LeadStatusFilter,
): number {
  return loaded.filter((lead) => {
    const patched = patches.get(lead.id);
    return patched && shownStatus(lead) === status && shownStatus(newest(lead, patched)) !== status;
  }).length;
}

function applyPatches(leads: readonly ListedLead[], patches: Patches): ListedLead[] {
  return leads.flatMap((lead) => {
    const patched = patches.get(lead.id);
    return patched === null ? [] : [newest(lead, patched)];
  });
}
