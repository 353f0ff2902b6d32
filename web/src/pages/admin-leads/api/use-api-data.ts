import useSWR, { useSWRConfig } from 'swr';
import type { SWRConfiguration } from 'swr';

/** The console expects current data: what a component shows is loaded again whenever the component appears. */
export const CURRENT_DATA = {
  revalidateIfStale: true,
  // A view that opens may have missed a live event. Only a request still under way is shared.
  dedupingInterval: 0,
} as const;

/** How the sync is doing. It is asked all the time, so it also tells whether the API answers. */
export const SYNC = '/api/admin/sync';

/**
 * Loads an answer of the API, or nothing for null. Components that ask for the same URL share the answer. If loading it
 * again fails, the last answer stays beside the fault.
 */
export function useApiData<Answer>(url: string | null, options?: SWRConfiguration<Answer, unknown>) {
  const { data, error, mutate } = useSWR<Answer, unknown>(url, { ...CURRENT_DATA, ...options });
  const { cache } = useSWRConfig();
  // The answer kept from another URL is not what was asked for.
  const isOther = error !== undefined && url !== null && cache.get(url)?.data === undefined;
  return { data: isOther ? undefined : data, fault: error, reload: () => mutate() };
}
