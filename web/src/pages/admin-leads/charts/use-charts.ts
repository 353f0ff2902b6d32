import type { ChartsAnswer } from '@site/schema/console';
import { useApiData } from '../api/use-api-data.ts';
import { toUrl, withoutSort } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

/** Reading thousands of leads is too expensive to do more often. */
const AGAIN_MS = 30_000;

/** Loads the figures of a filter's charts, and again now and then while they are shown. */
export function useCharts(filter: ListFilter) {
  return useApiData<ChartsAnswer>(toUrl('/api/admin/charts', withoutSort(filter)), {
    keepPreviousData: true,
    refreshInterval: AGAIN_MS,
  });
}
