import type { CallAnswer } from '@site/schema/calls/calls';
import { useEffect, useState } from 'react';
import { createFetcher, useApiPages } from '../api/data.tsx';
import { toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';

type Page = CallAnswer<'GET /api/admin/leads'>;
const fetchPage = createFetcher() as (url: string) => Promise<Page>;

export type LeadList = ReturnType<typeof useLeadList>;

/**
 * Loads a filter's list with its counters, page by page. The list keeps its place: leads newer than
 * the first row are only counted, until the operator asks for them.
 */
export function useLeadList(filter: ListFilter) {
  const of = toQuery(filter);
  /**
   * The first row of each filter’s list. It is not part of the key, so that the list stays the
   * same.
   */
  const [tops] = useState(() => new Map<string, string>());
  useEffect(() => () => void tops.delete(of), [of, tops]);
  const pages = useApiPages(
    'GET /api/admin/leads',
    (previous) =>
      previous?.nextCursor === null ? null : { query: { ...filter, cursor: previous?.nextCursor } },
    {
      // Reloads all pages, not only the first, when the operator returns from another view.
      revalidateOnMount: true,
      fetcher: async (url: string) => {
        if (url.includes('cursor=')) return fetchPage(url);
        const top = tops.get(of);
        const page = await fetchPage(top ? `${url}${of ? '&' : '?'}upTo=${top}` : url);
        if (page.topCursor && !top) tops.set(of, page.topCursor);
        return page;
      },
    },
  );
  const { data, failure, isLoading, isLoadingMore, hasMore, loadMore, reload } = pages;
  const first = data?.[0];
  return {
    leads: data?.flatMap((page) => page.leads) ?? [],
    counts: first?.counts,
    statusCounts: first && { ...first.statusCounts, all: first.counts.total },
    subscribers: first?.subscribers,
    isCapped: first?.isCapped ?? false,
    /** The number of leads that have arrived above the first row. */
    newer: first?.newer ?? 0,
    isLoading,
    isLoadingMore,
    failure,
    hasMore,
    loadMore,
    reload,
    async showNew() {
      tops.delete(of);
      await pages.setSize(1);
      await reload();
    },
  };
}
