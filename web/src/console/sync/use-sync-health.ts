import { useEffect, useEffectEvent } from 'react';
import { useApiData } from '../api/use-api-data.ts';
import { useLive } from '../api/live.tsx';
import { usePolling } from '../api/use-polling.ts';

const REFRESH_EVERY_MS = 5_000;
/** Nothing announces that a worker has stopped, or an API stalled: with the time of a load, that shows within 20 s. */
const SETTLED_EVERY_MS = 7_000;

/**
 * Loads how the sync is doing, and again as it changes: on live events, and regularly, more often while anything is
 * waiting or no live events come. Without an answer it says since when nothing is known.
 */
export function useSyncHealth() {
  const { data: health, fault, reload } = useApiData('GET /api/admin/sync');
  const { isLive, staleSince } = useLive();
  const isUnsettled =
    !isLive || (health !== undefined && (health.state !== 'running' || health.pending > 0));
  usePolling(isUnsettled || fault !== undefined ? REFRESH_EVERY_MS : SETTLED_EVERY_MS, reload);
  const ask = useEffectEvent(() => void reload());
  useEffect(() => {
    const listener = () => ask();
    for (const change of ['offline', 'online']) window.addEventListener(change, listener);
    return () => {
      for (const change of ['offline', 'online']) window.removeEventListener(change, listener);
    };
  }, []);
  const unknown = fault !== undefined && { since: staleSince, fault };
  return { health, unknown, reload };
}
