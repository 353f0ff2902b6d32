import type { AbandonedCheckoutsAnswer } from '@site/schema/money';
import useSWR from 'swr';
import { createFetcher } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

const AGAIN_MS = 60_000;
const fetchAbandoned = createFetcher<AbandonedCheckoutsAnswer>();

/** How many leads of the filter gave their checkout up. A call of its own: the list and its counters never wait for it. */
export function useAbandonedCheckouts(filter: ListFilter, onSignedOut: () => void): number {
  const query = toQuery({ ...filter, sort: undefined, status: undefined, checkout: undefined });
  const { data } = useSWR<AbandonedCheckoutsAnswer, unknown>(
    query === '' ? '/api/admin/money/abandoned-checkouts' : `/api/admin/money/abandoned-checkouts?${query}`,
    fetchAbandoned,
    {
      revalidateIfStale: true,
      keepPreviousData: true,
      refreshInterval: AGAIN_MS,
      onError: (failure: unknown) => {
        if (isSignedOut(failure)) onSignedOut();
      },
    },
  );
  return data?.count ?? 0;
}
