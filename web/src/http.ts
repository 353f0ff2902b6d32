import type { SWRConfiguration } from 'swr';
import { isUntouched } from './last-input.ts';

/** An answer that is not a success. Its message is `status: body`. */
export class HttpError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'HttpError';
    this.status = status;
    this.body = body;
  }
}

type Call = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
};

/** Calls our API with cookies and an optional JSON body. Throws `HttpError` for any answer that is not OK. */
export async function callApi(method: string, url: string, body?: unknown, call: Call = {}): Promise<Response> {
  const { headers, ...rest } = call;
  const response = await fetch(url, {
    method,
    credentials: 'include',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      // What an unattended console loads does not keep the operator's session from ending.
      ...(isUntouched() && { 'X-Background': '1' }),
      ...headers,
    },
    ...rest,
  });
  if (!response.ok) throw new HttpError(response.status, await response.text(), response.statusText);
  return response;
}

/** Posts JSON and returns the answer's JSON, which the caller must parse with a schema. */
export async function postJson(url: string, body: unknown, call?: Call): Promise<unknown> {
  const response = await callApi('POST', url, body, call);
  return response.json();
}

/** The address, or its parts. */
export type QueryKey = string | readonly (string | number)[];

/**
 * Creates SWR's fetcher: a GET to the key's parts joined with slashes, parsed as JSON. Throws for a 401 too,
 * unless `on401` is 'null'.
 */
export function createFetcher<T>(options: { on401: 'null' }): (key: QueryKey) => Promise<T | null>;
export function createFetcher<T>(options?: { on401?: 'throw' }): (key: QueryKey) => Promise<T>;
export function createFetcher<T>({ on401 = 'throw' }: { on401?: 'throw' | 'null' } = {}) {
  return async (key: QueryKey): Promise<T | null> => {
    try {
      const response = await callApi('GET', typeof key === 'string' ? key : key.join('/'));
      return (await response.json()) as T;
    } catch (error) {
      if (on401 === 'null' && error instanceof HttpError && error.status === 401) return null;
      throw error;
    }
  };
}

/** SWR's options for every page: data is fetched once and never refetched or retried automatically. */
export const DATA_LOADING: SWRConfiguration = {
  fetcher: createFetcher(),
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  refreshInterval: 0,
  shouldRetryOnError: false,
  dedupingInterval: 2_000,
};
