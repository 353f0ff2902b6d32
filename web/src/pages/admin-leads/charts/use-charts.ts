import type { ChartsAnswer } from '@site/schema/console';
import useSWR from 'swr';
import { createFetcher } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

const fetchCharts = createFetcher<ChartsAnswer>();
/** Figures of many leads are gathered no more often than this. */
const AGAIN_MS = 30_000;

/** The figures of the filter's charts, gathered again now and then while they are looked at. */
export function useCharts(filter: ListFilter, onSignedOut: () => void) {
  const query = toQuery({ ...filter, sort: undefined });
  const { data, error } = useSWR<ChartsAnswer, unknown>(
    query === '' ? '/api/admin/charts' : `/api/admin/charts?${query}`,
    fetchCharts,
    {
      revalidateIfStale: true,
      keepPreviousData: true,
      refreshInterval: AGAIN_MS,
      onError: (failure: unknown) => {
        if (isSignedOut(failure)) return onSignedOut();
        console.error('The charts could not be loaded', failure);
      },
    },
  );
  return { figures: data, fault: error };
}
