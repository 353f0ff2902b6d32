import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { send } from '../../http.ts';

/** An API that stalls must not look like one that is well. Its own statements take at most 10 s. */
const LOAD_TIMEOUT_MS = 12_000;

/** Loads from the API, within a time. */
export async function load(url: string): Promise<unknown> {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      stop.abort();
      reject(new TypeError('No answer in time'));
    }, LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([send('GET', url, undefined, { signal: stop.signal }), late]);
  } finally {
    clearTimeout(timer);
  }
}

const DATA_LOADING = {
  fetcher: load,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
  dedupingInterval: 2_000,
};

/** Has data loaded once, and never again by itself. */
export function DataLoading({ children }: { children: ReactNode }) {
  return <SWRConfig value={DATA_LOADING}>{children}</SWRConfig>;
}
