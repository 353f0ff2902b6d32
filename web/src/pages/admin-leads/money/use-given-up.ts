import type { GivenUpAnswer } from '@site/schema/money';
import useSWR from 'swr';
import { createFetcher } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';

const AGAIN_MS = 60_000;
const fetchGivenUp = createFetcher<GivenUpAnswer>();

/** How many leads of the filter gave their checkout up. A call of its own: the list and its counters never wait for it. */
export function useGivenUp(filter: ListFilter, onSignedOut: () => void): number {
  const query = toQuery({ ...filter, sort: undefined, status: undefined, checkout: undefined });
  const { data } = useSWR<GivenUpAnswer, unknown>(
    query === '' ? '/api/admin/money/given-up' : `/api/admin/money/given-up?${query}`,
    fetchGivenUp,
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
