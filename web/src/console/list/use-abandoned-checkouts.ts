import { useApiData } from '../api/use-api-data.ts';
import { withoutSort, withoutStatus } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { useMoneyEvents } from '../money/use-money-events.ts';

const AGAIN_MS = 60_000;

/** Counts the abandoned checkouts of a filter, in a call of its own so that the list never waits for it. */
export function useAbandonedCheckouts(filter: ListFilter): number {
  const { data, reload } = useApiData(
    'GET /api/admin/money/abandoned-checkouts',
    { query: { ...withoutSort(withoutStatus(filter)), checkout: undefined } },
    { keepPreviousData: true, refreshInterval: AGAIN_MS },
  );
  useMoneyEvents(reload);
  return data?.count ?? 0;
}
