import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { DATA_LOADING } from '../http.ts';

/** How the pages that load data do it. Apart from the rest, since the landing page loads none. */
export function DataLoading({ children }: { children: ReactNode }) {
  return <SWRConfig value={DATA_LOADING}>{children}</SWRConfig>;
}
