import type { LeadListAnswer } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { useMemo, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import useSWRInfinite from 'swr/infinite';
import { toQuery, toUrl } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { useDelayed } from '../time/use-delayed.ts';

const SKELETON_AFTER_MS = 200;
const NO_LEADS: Lead[] = [];

/** Why a load was started: to show a list, to add a page to it, or to refresh it in the background. */
type Intent = 'show' | 'add' | 'refresh';

/**
 * Loads the list of a filter with its counters, page by page. If the list cannot be loaded it is empty. If only
 * another page or a background refresh fails, the leads already shown stay.
 */
export function useLeads(filter: ListFilter) {
  const query = toQuery(filter);
  const intent = useRef<Intent>('show');
  const [failedAt, setFailedAt] = useState<Intent>('show');
  const [loaded, setLoaded] = useState<{ query: string; at: Date }>();
  const { onError, onSuccess } = useSWRConfig();

  const pages = useSWRInfinite<LeadListAnswer, unknown>(
    (_index: number, previous: LeadListAnswer | null) => {
      if (previous && previous.nextCursor === null) return null;
      return toUrl('/api/admin/leads', filter, { cursor: previous?.nextCursor });
    },
    {
      ...CURRENT_DATA,
      // All pages, not only the first, when the operator returns from another view.
      revalidateOnMount: true,
      keepPreviousData: true,
      onSuccess: (data, key, config) => {
        onSuccess(data, key, config);
        setLoaded({ query, at: new Date() });
      },
      onError: (error, key, config) => {
        onError(error, key, config);
        setFailedAt(intent.current);
      },
    },
  );

  const { data, error, isLoading } = pages;
  // Until this filter has been loaded once, every failure means that there is nothing to show.
  const failing = error === undefined ? undefined : loaded?.query === query ? failedAt : 'show';
  const hasFailed = failing === 'show';
  const first = hasFailed ? undefined : data?.[0];
  const isSlow = useDelayed(isLoading, SKELETON_AFTER_MS);
  const leads = useMemo(
    () => (hasFailed || isSlow ? NO_LEADS : (data?.flatMap((page) => page.leads) ?? NO_LEADS)),
    [data, hasFailed, isSlow],
  );

  const load = (why: Intent) => {
    intent.current = why;
    return pages.mutate();
  };

  return {
    leads,
    stages: useMemo(
      () => Object.assign({}, ...(data ?? []).map((page) => page.stages)) as LeadListAnswer['stages'],
      [data],
    ),
    endings: useMemo(
      () => Object.assign({}, ...(data ?? []).map((page) => page.endings)) as LeadListAnswer['endings'],
      [data],
    ),
    counts: first?.counts,
    statusCounts: first && { ...first.statusCounts, all: first.counts.total },
    isCapped: first?.isCapped ?? false,
    topCursor: first?.topCursor ?? null,
    /** Why the list itself could not be loaded. */
    fault: hasFailed ? error : undefined,
    moreFault: failing === 'add' ? error : undefined,
    isRefreshFailing: failing === 'refresh',
    isSlow,
    hasLoaded: !isLoading && data !== undefined && !hasFailed,
    loadedAt: loaded?.at,
    hasMore: !hasFailed && (data?.at(-1)?.nextCursor ?? null) !== null,
    isLoadingMore: pages.isValidating && data !== undefined && pages.size > data.length,
    loadMore() {
      intent.current = 'add';
      // After a failure the page has been asked for already, and only has to be loaded again.
      return data && pages.size > data.length ? pages.mutate() : pages.setSize((size) => size + 1);
    },
    reload: () => load('show'),
    refresh: () => load('refresh'),
    /** Starts again at the top, with the leads that have arrived since. */
    async startOver() {
      intent.current = 'show';
      await pages.setSize(1);
      await pages.mutate();
    },
  };
}
