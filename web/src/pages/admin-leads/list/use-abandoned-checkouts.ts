import type { AbandonedCheckoutsAnswer } from '@site/schema/money';
import { useApiData } from '../api/use-api-data.ts';
import { toUrl } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { useMoneyEvents } from '../money/use-money-events.ts';

const AGAIN_MS = 60_000;

/** Counts the abandoned checkouts of a filter, in a call of its own so that the list never waits for it. */
export function useAbandonedCheckouts(filter: ListFilter): number {
  const { data, reload } = useApiData<AbandonedCheckoutsAnswer>(
    toUrl('/api/admin/money/abandoned-checkouts', {
      ...filter,
      sort: undefined,
      status: undefined,
      checkout: undefined,
    }),
    { keepPreviousData: true, refreshInterval: AGAIN_MS },
  );
  useMoneyEvents(reload);
  return data?.count ?? 0;
}
