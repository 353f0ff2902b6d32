import type { LeadListAnswer } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import { useMemo, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { ListFilter } from '../shared/filter-params.ts';
import { useApiPages } from '../api/use-api-data.ts';
import { SKELETON_AFTER_MS, useDelayed } from '../shared/use-delayed.ts';

const NO_LEADS: ListedLead[] = [];

/** Why a load was started: to show a list or show it again, or to add a page to it. */
type Intent = 'show' | 'add';

/**
 * Loads the list of a filter with its counters, page by page. If the list cannot be loaded it is empty. If only
 * another page, or the same list again, cannot be loaded, the leads already shown stay.
 */
export function useLeads(filter: ListFilter) {
  const intent = useRef<Intent>('show');
  const [failedAt, setFailedAt] = useState<Intent>('show');
  const [loadedAt, setLoadedAt] = useState<Date>();
  const { onError, onSuccess } = useSWRConfig();

  const pages = useApiPages(
    'GET /api/admin/leads',
    (previous) =>
      previous?.nextCursor === null ? null : { query: { ...filter, cursor: previous?.nextCursor } },
    {
      // All pages, not only the first, when the operator returns from another view.
      revalidateOnMount: true,
      // Live events change it, and nothing else moves it.
      refreshInterval: 0,
      onSuccess: (data, key, config) => {
        onSuccess(data, key, config);
        setLoadedAt(new Date());
      },
      onError: (error, key, config) => {
        onError(error, key, config);
        setFailedAt(intent.current);
      },
    },
  );

  const { data, fault, isLoading } = pages;
  const staleFault = data && fault;
  const first = data?.[0];
  const isSlow = useDelayed(isLoading, SKELETON_AFTER_MS);
  const leads = useMemo(
    () => (isSlow ? NO_LEADS : (data?.flatMap((page) => page.leads) ?? NO_LEADS)),
    [data, isSlow],
  );

  const reload = () => {
    intent.current = 'show';
    return pages.reload();
  };

  return {
    leads,
    stages: useMemo(
      () =>
        Object.assign({}, ...(data ?? []).map((page) => page.stages)) as LeadListAnswer['stages'],
      [data],
    ),
    endings: useMemo(
      () =>
        Object.assign({}, ...(data ?? []).map((page) => page.endings)) as LeadListAnswer['endings'],
      [data],
    ),
    counted: first,
    topCursor: first?.topCursor ?? null,
    /** Why the list itself could not be loaded. */
    fault: data ? undefined : fault,
    moreFault: failedAt === 'add' ? staleFault : undefined,
    isRefreshFailing: failedAt === 'show' && staleFault !== undefined,
    isSlow,
    hasLoaded: !isLoading && data !== undefined,
    loadedAt,
    hasMore: pages.hasMore,
    isLoadingMore: pages.isValidating && data !== undefined && pages.size > data.length,
    loadMore() {
      intent.current = 'add';
      // After a failure the page has been asked for already, and only has to be loaded again.
      return data && pages.size > data.length ? pages.reload() : pages.loadMore();
    },
    reload,
    /** Starts again at the top, with the leads that have arrived since. */
    async startOver() {
      intent.current = 'show';
      await pages.setSize(1);
      await pages.reload();
    },
  };
}
