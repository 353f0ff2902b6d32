import type { LeadDetailAnswer } from '@site/schema/admin';
import useSWR from 'swr';
import { createFetcher } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';

const fetchDetail = createFetcher<LeadDetailAnswer>();

/** One lead with all that happened to it. */
export function useLeadDetail(id: string | undefined, onSignedOut: () => void) {
  const { data, error, mutate } = useSWR<LeadDetailAnswer, unknown>(
    id === undefined ? null : `/api/admin/leads/${encodeURIComponent(id)}`,
    fetchDetail,
    {
      revalidateIfStale: true,
      onError: (failure: unknown) => {
        if (isSignedOut(failure)) return onSignedOut();
        console.error('The lead could not be loaded', failure);
      },
    },
  );
  return { detail: data, fault: error, reload: () => mutate() };
}
