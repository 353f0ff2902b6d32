import useSWR, { useSWRConfig } from 'swr';
import type { SWRConfiguration } from 'swr';
import useSWRInfinite, { unstable_serialize as serializeList } from 'swr/infinite';
import type { SWRInfiniteConfiguration } from 'swr/infinite';

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
  const isOwn = useIsLoaded()(url ?? '');
  return {
    data: error !== undefined && url !== null && !isOwn ? undefined : data,
    fault: error,
    reload: () => mutate(),
  };
}

type ToPage<Page> = (index: number, previous: Page | null) => string | null;

/** Loads a list page by page, and keeps what is shown while another list loads. If that fails, it is not shown beside the fault. */
export function useApiPages<Page>(toPage: ToPage<Page>, options?: SWRInfiniteConfiguration<Page, unknown>) {
  const { data, error, mutate, ...rest } = useSWRInfinite<Page, unknown>(toPage, {
    ...CURRENT_DATA,
    keepPreviousData: true,
    ...options,
  });
  const isOwn = useIsLoaded()(serializeList(toPage));
  return { ...rest, data: error !== undefined && !isOwn ? undefined : data, fault: error, reload: () => mutate() };
}

/** Returns a function that tells whether something was loaded. What is kept from another key is not what was asked for. */
function useIsLoaded(): (key: string) => boolean {
  const { cache } = useSWRConfig();
  return (key) => cache.get(key)?.data !== undefined;
}
