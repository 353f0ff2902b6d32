import type { CallAnswer, CallRequest, KnownCall } from '@site/schema/calls/calls';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import useSWR, { SWRConfig, useSWRConfig } from 'swr';
import type { SWRConfiguration } from 'swr';
import useSWRInfinite, { unstable_serialize as serializeList } from 'swr/infinite';
import type { SWRInfiniteConfiguration } from 'swr/infinite';
import { send, toUrl } from '../../http.ts';
import type { RequestOf } from '../../http.ts';
import { isSignedOut } from './failure.ts';

/** An API that stalls must not look healthy. Its own statements take at most 10 s. */
const LOAD_TIMEOUT_MS = 12_000;

/**
 * Creates a fetcher: a GET to the key's parts joined with slashes, parsed as JSON, within a
 * timeout. A 401 is an error, or null with `on401: 'null'`.
 */
export function createFetcher({ on401 = 'throw' }: { on401?: 'throw' | 'null' } = {}) {
  return async (key: string | readonly string[]): Promise<unknown> => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), LOAD_TIMEOUT_MS);
    try {
      const url = typeof key === 'string' ? key : key.join('/');
      return await send('GET', url, undefined, { signal: stop.signal });
    } catch (error) {
      if (on401 === 'null' && isSignedOut(error)) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

const DATA_LOADING = {
  fetcher: createFetcher(),
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  dedupingInterval: 2_000,
};

/** Loads data once, and never again automatically. */
export function DataLoading({ children }: { children: ReactNode }) {
  return <SWRConfig value={DATA_LOADING}>{children}</SWRConfig>;
}

/**
 * The console expects current data: a component's data is loaded again whenever the component
 * appears.
 */
export const CURRENT_DATA = {
  revalidateIfStale: true,
  // A view that opens may have missed a live event. Only a request in progress is shared.
  dedupingInterval: 0,
} as const;

/** The sync's state. It is loaded all the time, so it also shows whether the API answers. */
export const SYNC = toUrl('GET /api/admin/sync');

type LoadingCall = KnownCall & `GET ${string}`;
type DataOptions<Name extends LoadingCall> = SWRConfiguration<CallAnswer<Name>, unknown>;

/** The paged lists on screen, which a live event loads again by their keys. */
export const pagedLists = new Set<{ key: string; reload: () => Promise<unknown> }>();

/** Reloads a paged list after live events. */
export function usePagedList(key: string, reload: () => Promise<unknown>): void {
  useEffect(() => {
    const list = { key, reload };
    pagedLists.add(list);
    return () => void pagedLists.delete(list);
  }, [key, reload]);
}

/**
 * Loads the answer of a call, or nothing for a null request. Components that make the same call
 * share its answer. If a reload fails, the last answer stays beside the failure.
 */
export function useApiData<Name extends LoadingCall>(
  name: Name,
  ...[request, options]: object extends CallRequest<Name>
    ? [request?: CallRequest<Name> | null, options?: DataOptions<Name>]
    : [request: CallRequest<Name> | null, options?: DataOptions<Name>]
) {
  const url = request === null ? null : toUrl(name, ...([request] as RequestOf<Name>));
  const { data, error, mutate } = useSWR<CallAnswer<Name>, unknown>(url, {
    ...CURRENT_DATA,
    ...options,
  });
  const isOwn = useIsLoaded()(url ?? '');
  return {
    // Another key's kept data is not shown beside this key's failure.
    data: error !== undefined && url !== null && !isOwn ? undefined : data,
    failure: error,
    reload: () => mutate(),
  };
}

/**
 * Loads a list page by page, and keeps the current rows while another list loads. If that fails,
 * the rows are not shown beside the failure. `toRequest` gets the previous page, and returns null
 * after the last page.
 */
export function useApiPages<Name extends LoadingCall>(
  name: Name,
  toRequest: (previous: CallAnswer<Name> | null) => CallRequest<Name> | null,
  options?: SWRInfiniteConfiguration<CallAnswer<Name>, unknown>,
) {
  const toPage = (_index: number, previous: CallAnswer<Name> | null) => {
    const request = toRequest(previous);
    return request && toUrl(name, ...([request] as RequestOf<Name>));
  };
  const { data, error, mutate, ...rest } = useSWRInfinite<CallAnswer<Name>, unknown>(toPage, {
    ...CURRENT_DATA,
    keepPreviousData: true,
    ...options,
  });
  const key = serializeList(toPage);
  usePagedList(key, mutate);
  const isOwn = useIsLoaded()(key);
  return {
    ...rest,
    data: error !== undefined && !isOwn ? undefined : data,
    failure: error,
    reload: () => mutate(),
    isLoadingMore: rest.isValidating && data !== undefined && data.length < rest.size,
    hasMore: data !== undefined && toRequest(data.at(-1) ?? null) !== null,
    loadMore: () => rest.setSize(rest.size + 1),
  };
}

/** Returns a function that returns true for loaded data. */
function useIsLoaded(): (key: string) => boolean {
  const { cache } = useSWRConfig();
  return (key) => cache.get(key)?.data !== undefined;
}
