import type { SyncHealthAnswer } from '@site/schema/admin';
import useSWR from 'swr';
import { createFetcher } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';
import { usePolling } from '../use-polling.ts';

const REFRESH_EVERY_MS = 5_000;
const fetchHealth = createFetcher<SyncHealthAnswer>();

/** How the sync is doing; asked again while anything waits, since that is when it changes. */
export function useSyncHealth(onSignedOut: () => void) {
  const { data, error, mutate } = useSWR<SyncHealthAnswer, unknown>('/api/admin/sync', fetchHealth, {
    revalidateIfStale: true,
    onError: (failure: unknown) => {
      if (isSignedOut(failure)) return onSignedOut();
      console.error('The state of the sync could not be loaded', failure);
    },
  });
  const reload = () => mutate();
  const isUnsettled = error !== undefined || (data !== undefined && (data.pause !== null || data.pending > 0));
  usePolling(isUnsettled ? REFRESH_EVERY_MS : null, reload);
  return { health: data, fault: error, reload };
}
