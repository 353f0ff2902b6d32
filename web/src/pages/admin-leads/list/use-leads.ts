import type { LeadListAnswer } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { useMemo, useRef, useState } from 'react';
import useSWRInfinite from 'swr/infinite';
import { createFetcher } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { useDelayed } from '../use-delayed.ts';

const SKELETON_AFTER_MS = 200;
const NO_LEADS: Lead[] = [];
const fetchPage = createFetcher<LeadListAnswer>();

/** Why a load was started: to show a list, to add a page to it, or to keep it fresh unasked. */
type Intent = 'show' | 'add' | 'refresh';

/**
 * The list of one filter with its counters, page after page. When the list itself cannot be loaded it ends up
 * empty; when only a further page or an unasked refresh fails, what stands there stays.
 */
export function useLeads(filter: ListFilter, onSignedOut: () => void) {
  const query = toQuery(filter);
  const intent = useRef<{ why: Intent; query: string }>({ why: 'show', query });
  const [failedAt, setFailedAt] = useState<Intent>('show');
  const [checkedAt, setCheckedAt] = useState<Date>();

  const pages = useSWRInfinite<LeadListAnswer, unknown>(
    (_index: number, previous: LeadListAnswer | null) => {
      if (previous && previous.nextCursor === null) return null;
      return toAddress(toQuery(filter, previous?.nextCursor ?? undefined));
    },
    fetchPage,
    {
      // An operator who goes back wants what is so now; what was there stands until it has come.
      revalidateIfStale: true,
      keepPreviousData: true,
      onSuccess: () => setCheckedAt(new Date()),
      onError: (error: unknown) => {
        if (isSignedOut(error)) return onSignedOut();
        console.error('The leads could not be loaded', error);
        // Whatever was asked of another list, this one is being shown.
        setFailedAt(intent.current.query === query ? intent.current.why : 'show');
      },
    },
  );

  const { data, error, isLoading } = pages;
  const isFailing = (at: Intent) => error !== undefined && failedAt === at;
  const hasFailed = isFailing('show');
  const first = hasFailed ? undefined : data?.[0];
  const isSlow = useDelayed(isLoading, SKELETON_AFTER_MS);
  const leads = useMemo(
    () => (hasFailed || isSlow ? NO_LEADS : (data?.flatMap((page) => page.leads) ?? NO_LEADS)),
    [data, hasFailed, isSlow],
  );

  const load = (why: Intent) => {
    intent.current = { why, query };
    return pages.mutate();
  };

  return {
    leads,
    counts: first?.counts,
    statusCounts: first && { ...first.statusCounts, all: first.counts.total },
    isCapped: first?.isCapped ?? false,
    topCursor: first?.topCursor ?? null,
    /** Why the list is empty although nobody knows what is in it. */
    fault: hasFailed ? error : undefined,
    moreFault: isFailing('add') ? error : undefined,
    isRefreshFailing: isFailing('refresh'),
    isSlow,
    hasLoaded: !isLoading && data !== undefined && !hasFailed,
    checkedAt,
    hasMore: !hasFailed && (data?.at(-1)?.nextCursor ?? null) !== null,
    isLoadingMore: pages.isValidating && data !== undefined && pages.size > data.length,
    loadMore() {
      intent.current = { why: 'add', query };
      // After a failure the page is already asked for, and only has to be fetched again.
      return data && pages.size > data.length ? pages.mutate() : pages.setSize((size) => size + 1);
    },
    reload: () => load('show'),
    refresh: () => load('refresh'),
    /** Begins at the top again, with whatever has come since. */
    async startOver() {
      intent.current = { why: 'show', query };
      await pages.setSize(1);
      await pages.mutate();
    },
  };
}

function toAddress(query: string): string {
  return query === '' ? '/api/admin/leads' : `/api/admin/leads?${query}`;
}
