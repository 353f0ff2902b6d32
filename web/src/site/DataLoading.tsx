import type { ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { DATA_LOADING } from '../http.ts';

/** SWR's configuration, in its own file so that the landing page does not download it. */
export function DataLoading({ children }: { children: ReactNode }) {
  return <SWRConfig value={DATA_LOADING}>{children}</SWRConfig>;
}
