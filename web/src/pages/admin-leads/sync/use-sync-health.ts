import type { SyncHealthAnswer } from '@site/schema/admin';
import { useApiData } from '../api/use-api-data.ts';
import { useLiveEvents } from '../live/LiveUpdates.tsx';
import { usePolling } from '../time/use-polling.ts';

const REFRESH_EVERY_MS = 5_000;
const SYNC = '/api/admin/sync';

/** Loads how the sync is doing, and again as it changes: on live events, and regularly while anything is waiting. */
export function useSyncHealth() {
  const { data: health, fault, reload } = useApiData<SyncHealthAnswer>(SYNC);
  useLiveEvents((event) => (event.hasSyncChanged || event.leads.length > 0 ? reload() : undefined));
  const isUnsettled = fault !== undefined || (health !== undefined && (health.pause !== null || health.pending > 0));
  usePolling(isUnsettled ? REFRESH_EVERY_MS : null, reload);
  return { health, fault, reload };
}

/** Returns whether the sync is paused, as far as the strip at the top of the console knows. */
export function useIsPaused(): boolean {
  const { data } = useApiData<SyncHealthAnswer>(SYNC, { revalidateIfStale: false });
  return Boolean(data?.pause);
}
